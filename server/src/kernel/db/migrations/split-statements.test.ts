import { expect, it } from 'vitest'
import { splitStatements } from './split-statements.ts'

it('splits at the semicolons that end a statement, and at no other', () => {
  const sql = `-- First; of all.
create table a (b text default ';', "c;d" text); /* not; here */
create function e() returns void language sql as $body$ select 1; select '$$' $body$;
-- The last
-- one.
select 1 -- inside;
  + 2`
  expect(splitStatements(sql)).toEqual([
    { comment: '-- First; of all.', sql: `create table a (b text default ';', "c;d" text)` },
    {
      comment: '/* not; here */',
      sql: "create function e() returns void language sql as $body$ select 1; select '$$' $body$",
    },
    { comment: '-- The last\n-- one.', sql: 'select 1 \n  + 2' },
  ])
})
