-- Functions that run without asking, although the others of their server or plugin ask.
alter table tool_servers add column approval_exempt text[] not null default '{}';
alter table plugins add column approval_exempt text[] not null default '{}';
