-- Versions of plugins come from here, so that no two are ever alike: a node may still hold a plugin that was deleted when
-- a new one takes its ID. The gap is for versions of deleted plugins, which nobody remembers.
create sequence plugin_versions as integer;
select setval('plugin_versions', (select coalesce(max(version), 0) + 100000 from plugins));
