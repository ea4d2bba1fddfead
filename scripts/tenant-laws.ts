/**
 * The law about counters: SQL that counts, adds up or takes a maximum, in a function named `…Unscoped`, names the tenant
 * it does so for. Whatever decides about one tenant by a number of all of them lets another tenant decide. The
 * exceptions are listed with what bounds them instead.
 *
 * And the law about moving: each table is in the export of an organization, or declined with a reason.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { declined } from '../server/src/commands/organization/declined.ts'
import { exported } from '../server/src/commands/organization/tables.ts'

const project = fileURLToPath(new URL('..', import.meta.url))

const aggregate = /\b(count|sum|max|min|avg)\(|\bcountAll\b/
const tenant = /scope_?id|scopeOf|organization_?id|owner_?id|user_?id|principal_?id|actor|account/i

/** By file and function. The reason says which key bounds the number, or why it decides about nobody. */
const exceptions: Readonly<Record<string, string>> = {
  'folders.ts countChatsUnscoped': 'by folders of the caller',
  'backlog.ts readBacklogUnscoped': 'metrics of the instance',
  'batches.ts takeBatchesUnscoped': 'the size of a batch',
  'retention.ts deleteEventsBeforeUnscoped': 'how far one statement got',
  'retention.ts hasUndecidedUnscoped': 'whether a partition may go',
  'dispatches.ts takeSinglesUnscoped': 'the size of a batch',
  'queries.ts countHeldUnscoped': 'metrics of the instance',
  'files.ts countTextUnscoped': 'by file',
  'collections.ts countFilesUnscoped': 'by collection',
  'crawls.ts addCrawlPagesUnscoped': 'by crawl',
  'crawls.ts countPagesUnscoped': 'by crawl',
  'score.ts scoreSmallScopeUnscoped': 'by the collections and files that are searched',
  'search.ts listLanguagesUnscoped': 'by the collections and files that are searched',
  'search.ts countMatchesUnscoped': 'by the collections and files that are searched',
  'search.ts sampleMatchesUnscoped': 'by the collections and files that are searched',
  'terms.ts updateTermsVersionUnscoped': 'by file',
  'vectors.ts countVectorsUnscoped': 'which engine the platform used before; decides about nobody alone',
  'vectors.ts listUnembeddedUnscoped': 'by file',
  'vectors.ts countEmbeddedUnscoped': 'by file',
  'queries.ts listPeriodsUnscoped': 'metrics of the instance',
  'queries.ts rollUpUnscoped': 'metrics of the instance',
  'measure-runs.ts measureRunsUnscoped': 'metrics of the instance',
  'run-hours.ts listHoursUnscoped': 'by workflow',
  'failures.ts claimFailingUnscoped': 'by workflow',
}

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server/src'], {
  cwd: project,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => /quer(y|ies)/.test(file) && /(?<!\.test)\.ts$/.test(file))

/** Each function with the text up to the next declaration. */
const functionsOf = (text: string): { name: string; body: string }[] =>
  [
    ...text.matchAll(
      /^(?:export )?const (\w+Unscoped)\b[\s\S]*?(?=^(?:export |const |interface |type |\/\*\*)|$(?![\s\S]))/gm,
    ),
  ].map(([body, name = '']) => ({ name, body }))

const used = new Set<string>()
const breaches = files.flatMap((file) =>
  functionsOf(readFileSync(join(project, file), 'utf8'))
    .filter(({ body }) => aggregate.test(body) && !tenant.test(body))
    .flatMap(({ name }) => {
      const key = `${basename(file)} ${name}`
      used.add(key)
      return exceptions[key] === undefined
        ? [
            `${file}: ${name} counts for all tenants together. Name the tenant, or say in scripts/tenant-laws.ts what bounds it.`,
          ]
        : []
    }),
)
const schema = readFileSync(join(project, 'server/schema.sql'), 'utf8')
const tables = Array.from(schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(/gm), ([, name = '']) => name)
const moved = new Set([...Object.keys(exported), ...declined.keys()])
const unmoved = [
  ...tables
    .filter((table) => !moved.has(table))
    .map((table) => `Is ${table} part of an organization? Say so in commands/organization/tables.ts or declined.ts.`),
  ...[...moved]
    .filter((table) => !tables.includes(table) || (exported[table] && declined.has(table)))
    .map((table) => `commands/organization: ${table} is no table, or both exported and declined.`),
]

const unused = Object.keys(exceptions).filter((key) => !used.has(key))
for (const breach of [
  ...breaches,
  ...unused.map((key) => `scripts/tenant-laws.ts: ${key} is no exception any more.`),
  ...unmoved,
])
  console.error(breach)
process.exitCode = breaches.length + unused.length + unmoved.length === 0 ? 0 : 1
