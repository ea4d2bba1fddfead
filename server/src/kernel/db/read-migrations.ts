/**
 * The migrations of a folder: `baseline/` for empty databases, `before-baseline/` for those that were made earlier, and
 * what came since. A file that would be applied out of order, or not at all because of its name, stops the start.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../process/start-error.ts'

export interface Migration {
  name: string
  sql: string
  checksum: string
}

export interface Migrations {
  /** Applied only to databases that were begun with them. */
  before: readonly Migration[]
  baseline: Migration
  since: readonly Migration[]
}

const firstNumber = 200

export const readMigrations = (folder: string): Migrations => {
  const [before, baseline] = [join(folder, 'before-baseline'), join(folder, 'baseline')]
  return {
    before: namesIn(before).map((name) => migrationOf(name, [join(before, name)])),
    // One file for each module, applied together: a database has the whole baseline or nothing of it.
    baseline: migrationOf(
      'baseline',
      namesIn(baseline).map((name) => join(baseline, name)),
    ),
    since: requireOrder(namesIn(folder)).map((name) => migrationOf(name, [join(folder, name)])),
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map(({ name }) => name)
    .sort()

const migrationOf = (name: string, paths: readonly string[]): Migration => {
  const sql = paths.map((path) => readFileSync(path, 'utf8')).join('\n')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/** Without gaps: a number put between others later would be applied after them wherever they were there already. */
const requireOrder = (names: string[]): string[] => {
  for (const [index, name] of names.entries()) {
    const number = String(firstNumber + index).padStart(4, '0')
    if (!name.startsWith(`${number}_`) || !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
      throw new StartError(`The migration ${name} is out of order: its name should be ${number}_what_it_does.sql.`)
  }
  return names
}
