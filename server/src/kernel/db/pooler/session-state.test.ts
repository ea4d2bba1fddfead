/** No statement for work leaves anything in its session, which a pooler in transaction mode would lose. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../../', import.meta.url))

/** What runs over connections with a session of their own. */
const ownSession = [
  'commands/',
  'kernel/db/connection-limits.ts',
  'kernel/db/keep-listening.ts',
  'kernel/db/migrate.ts',
  'kernel/db/migrations/',
  'kernel/db/pooler/',
]

const leavesSomething =
  /['"`]\s*(?:set (?!local|constraints)[a-z_.]+ ?(?:=|to )|create temp|prepare |deallocate |(?:un)?listen ["\w$])|cursor with hold|pg_(?:try_)?advisory_lock|set_config\([^()]*,\s*false\)/

it.each([
  ['pg_advisory_lock(1)'],
  [`select set_config('a', 'b', false)`],
  ['`set statement_timeout = 0`'],
  ['`create temp table t ()`'],
])('would be found: %s', (statement) => {
  expect(leavesSomething.test(statement)).toBe(true)
})

it('is nowhere in the server', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !ownSession.some((own) => file.startsWith(own)),
  )
  const found = files.flatMap((file) =>
    readFileSync(`${source}${file}`, 'utf8')
      .split('\n')
      .filter((line) => leavesSomething.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
