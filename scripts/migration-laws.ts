/**
 * The law about migrations: none may lock or rewrite a table that grows with use, because everybody waits meanwhile. A
 * statement that has to is allowed by a comment right above it: `-- allowed: ` and why nobody waits.
 */
import { type Statement, splitStatements } from '../server/src/kernel/db/migrations/split-statements.ts'

/** Those that have millions of rows somewhere. */
export const largeTables = [
  'approvals',
  'audit_log',
  'chat_messages',
  'chats',
  'event_batches',
  'event_deliveries',
  'event_dispatches',
  'event_keys',
  'events',
  'files',
  'knowledge_chunks',
  'knowledge_documents',
  'mail_outbox',
  'memories',
  'postponed_events',
  'run_model_calls',
  'run_steps',
  'run_waits',
  'runs',
  'signing_audit',
  'signing_documents',
  'sso_sync_reports',
  'subscriptions',
  'usage_days',
  'users',
  'webhook_deliveries',
] as const

interface Law {
  breaks: RegExp
  instead: string
}

const large = `(?:only )?(?:${largeTables.join('|')})`
const column = 'add column (?:if not exists )?[^,]*'
const key = 'add (?:constraint \\w+ )?'
/** Functions with one result for all rows of a statement: PostgreSQL stores it once, and writes no row. */
const stable = '(?:now|current_setting|statement_timestamp|transaction_timestamp)'

const onLarge = (rest: string, instead: string): Law => ({
  breaks: new RegExp(`^alter table (?:if exists )?${large} (?:.* )?${rest}`),
  instead,
})

const laws: readonly Law[] = [
  {
    breaks: new RegExp(`^create (?:unique )?index (?!concurrently).* on ${large}\\b`),
    instead: 'create index concurrently, in a migration that begins with `-- concurrently`',
  },
  { breaks: /^create (?:unique )?index concurrently (?!if not exists)/, instead: 'if not exists: it may run again' },
  { breaks: /^(?:drop index|reindex)\b(?!.*\bconcurrently)/, instead: '`concurrently`' },
  { breaks: new RegExp(`\\b(?:update|delete from) ${large}\\b`), instead: 'a job that works in small batches' },
  { breaks: /^(?:cluster|vacuum full|lock)\b/, instead: 'nothing that keeps everybody out' },
  onLarge(`${column}\\b(?:generated|serial|bigserial)\\b`, 'a column that a job fills in small batches'),
  onLarge(`${column}\\b(?:unique|primary key|check|references)\\b`, 'the constraint by itself, `not valid`'),
  onLarge(`${column}\\bdefault (?!${stable}\\()\\w+\\(`, 'a default that is the same for all rows'),
  onLarge('alter (?:column )?\\w+ (?:set data )?type\\b', 'a new column'),
  onLarge(`${key}(?:check|foreign key)\\b(?!.*\\bnot valid)`, '`not valid`, and `validate constraint` later'),
  onLarge(
    `${key}(?:unique|primary key|exclude)\\b(?!.*\\busing index)`,
    'an index made concurrently, and `using index`',
  ),
  onLarge('alter (?:column )?\\w+ set not null', 'a check that it is not null, `not valid`, validated before'),
]

const plain = ({ sql }: Statement): string =>
  sql
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()

/** Of a `do` block, what stands in its body. */
const partsOf = (text: string): string[] => {
  const [, , body] = /^do (\$\w*\$)(.*)\1/.exec(text) ?? []
  return body === undefined ? [text] : body.split(/;|\bbegin\b|\bthen\b|\bloop\b/).map((part) => part.trim())
}

const isFunction = (text: string): boolean => /^create (?:or replace )?(?:function|procedure)\b/.test(text)

/** Not null is read off a validated check, without looking at a row. */
const provesNotNull = (statements: readonly string[], text: string): boolean =>
  / set not null$/.test(text) && statements.some((each) => / validate constraint /.test(each))

/** What is wrong with a migration. */
export const breachesOf = (sql: string): string[] => {
  const statements = splitStatements(sql)
  const texts = statements.map(plain)
  return statements.flatMap((statement, index) => {
    const text = texts[index] ?? ''
    if (/-- allowed: \S/.test(statement.comment) || isFunction(text)) return []
    return partsOf(text).flatMap((each) => {
      if (/^execute\b/.test(each)) return [`${each.slice(0, 60)}: nobody can read what it runs`]
      const law = laws.find(({ breaks }) => breaks.test(each))
      return law && !provesNotNull(texts, each) ? [`${each.slice(0, 60)}: instead, ${law.instead}`] : []
    })
  })
}
