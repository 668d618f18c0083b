//! What the functions of databases themselves do, by name. It must not know where they are called,
//! nor what extensions bring: that stands in the catalogue.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::statement::FunctionClass;

/// Read the clock whatever their arguments.
const CLOCKS: &str = "\
    clock_timestamp curdate current_date current_time current_timestamp curtime \
    get_current_timestamp getdate getutcdate localtime localtimestamp now now64 \
    statement_timestamp sysdate sysdatetime sysdatetimeoffset systimestamp sysutcdatetime \
    timeofday today transaction_timestamp utc_date utc_time utc_timestamp yesterday";

/// Read the clock if they are given nothing, or the word `now`.
const CLOCKS_OF_NOW: &str = "\
    date datetime julianday strftime time timestamp unix_timestamp unixepoch";

const RANDOMS: &str = "\
    gen_random_bytes gen_random_uuid gen_ulid generate_ulid generateuuidv4 generateuuidv7 \
    nanoid newid newsequentialid rand rand32 rand64 random random_bytes random_normal \
    randomblob randomuuid ulid unordered_unique_rowid unique_rowid uuid uuid_generate_v1 \
    uuid_generate_v1mc uuid_generate_v4 uuid_generate_v6 uuid_generate_v7 uuid_short uuid_v4 \
    uuid_v7 uuidv4 uuidv7";

/// Built-in computations without effect, which no rule asks about.
const PURE: &str = "\
    abs age any_value array array_agg array_append array_cat array_fill array_length \
    array_position array_positions array_prepend array_remove array_replace array_to_json \
    array_to_string array_upper ascii avg bit_and bit_length bit_or bool_and bool_or btrim \
    cardinality cast ceil ceiling char_length character_length chr coalesce col_description \
    concat concat_ws convert_from convert_to corr count countif cume_dist currval date_add \
    date_bin date_diff date_format date_part date_sub date_trunc datediff decode dense_rank \
    digest div encode every exists exp extract first_value floor format format_type \
    from_unixtime generate_series generate_subscripts get_byte getbit glob greatest \
    group_concat grouping hashtext hashtextextended hex hmac if ifnull iif initcap instr \
    int4range int8range isempty isnull json json_agg json_array json_array_elements \
    json_array_length json_build_array json_build_object json_each json_extract \
    json_extract_path json_extract_path_text json_group_array json_group_object json_insert \
    json_object json_object_agg json_patch json_remove json_replace json_set json_to_record \
    json_to_recordset json_tree json_type json_typeof json_valid json_value jsonb_agg \
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array \
    jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text \
    jsonb_insert jsonb_object jsonb_object_agg jsonb_object_keys jsonb_path_exists \
    jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set \
    jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof justify_interval lag \
    last_insert_rowid last_insert_id last_value lastval lead least left length like ln log \
    lower lower_inf lpad ltrim make_date make_interval make_timestamptz max md5 median min \
    mod mode ntile nth_value nullif num_nonnulls num_nulls numrange nvl obj_description \
    octet_length overlay percent_rank percentile_cont percentile_disc phraseto_tsquery \
    plainto_tsquery position power printf quote_ident quote_literal range_agg rank \
    regexp_count regexp_like regexp_match regexp_matches regexp_replace \
    regexp_split_to_array regexp_split_to_table repeat replace reverse right round row \
    row_number row_to_json rpad rtrim set_config sha1 sha224 sha256 sha384 sha512 sign \
    similarity split_part sqrt starts_with stddev string_agg string_to_array strpos substr \
    substring sum time_bucket timediff timestampdiff timestampadd to_char to_date to_hex \
    to_json to_jsonb to_number to_regclass to_timestamp to_tsquery to_tsvector total \
    total_changes translate trim trunc ts_headline ts_rank ts_rank_cd tsrange tstzrange \
    txid_current typeof unhex unicode unnest upper upper_inf values variance version \
    websearch_to_tsquery width_bucket word_similarity xmin";

/// The lists above, ready for look-up.
struct Known {
    clocks: FxHashSet<&'static str>,
    clocks_of_now: FxHashSet<&'static str>,
    randoms: FxHashSet<&'static str>,
    pure: FxHashSet<&'static str>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let words = |list: &'static str| list.split_whitespace().collect();
    Known {
        clocks: words(CLOCKS),
        clocks_of_now: words(CLOCKS_OF_NOW),
        randoms: words(RANDOMS),
        pure: words(PURE),
    }
});

/// What a function does, by its lower-case name and whether it is given nothing or the word `now`;
/// nothing for a built-in computation.
pub(super) fn class(name: &str, of_now: bool) -> Option<FunctionClass> {
    let bare = name.rsplit('.').next().unwrap_or(name);
    let known = &*KNOWN;
    if known.clocks.contains(bare) || (of_now && known.clocks_of_now.contains(bare)) {
        Some(FunctionClass::Clock)
    } else if known.clocks_of_now.contains(bare)
        || (known.pure.contains(bare) && (bare == name || name.starts_with("pg_catalog.")))
    {
        None
    } else if known.randoms.contains(bare) {
        Some(FunctionClass::Random)
    } else if matches!(bare, "pg_notify" | "pg_logical_emit_message") {
        Some(FunctionClass::Notify)
    } else if matches!(bare, "nextval" | "setval") {
        Some(FunctionClass::Sequence)
    } else if is_advisory_lock(bare) {
        Some(FunctionClass::AdvisoryLock)
    } else {
        Some(FunctionClass::Other)
    }
}

fn is_advisory_lock(name: &str) -> bool {
    let of_postgres = name.starts_with("pg_") && name.contains("advisory");
    of_postgres
        || matches!(
            name,
            "get_lock" | "release_lock" | "release_all_locks" | "is_free_lock"
        )
}
