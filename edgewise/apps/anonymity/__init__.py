"""Parts of `edgewise.apps.anonymize`: tables, similar records, groups."""
