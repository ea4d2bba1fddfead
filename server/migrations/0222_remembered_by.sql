-- What a browser was remembered for: it stands for that factor and no stronger one. Null: before it was kept.
alter table remembered_browsers add column method text;
