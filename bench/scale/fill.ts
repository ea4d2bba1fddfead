/** Fills the tables of an instance by SQL, from one size to a larger one. Ids and times lie over the last sixty days. */
import type { Pool } from '../../server/src/kernel/db/database.ts'

export interface Sizes {
  tenants: number
  /** Of the one large organization; ten times as many are spread over all tenants. */
  people: number
  events: number
  runs: number
  /** Of one person; the administrator has as many files. */
  chats: number
  documents: number
  subscriptions: number
  audit: number
}

export interface Owners {
  /** The large organization, its administrator, and the person with all the chats. */
  organizationId: string
  adminId: string
  personId: string
}

const days = 60
const scopes = 50
/** From sixty days ago to now, in the order of the rows. */
const age = (size: string) => `interval '${days} days' * (1 - i::float / ${size})`
const id = (size: string) => `uuidv7(-${age(size)})`
const at = (size: string) => `now() - ${age(size)}`
/** One row in fifty is the large organization's; the others are of a few hundred tenants. */
const scopeOf = `case when i % ${scopes} = 0 then $1::uuid else md5('tenant ' || i % 997)::uuid end`

/** Each statement gets the owner, the first row, the last row and the size. */
const statements: [rows: keyof Sizes, owner: keyof Owners, sql: string][] = [
  [
    'tenants',
    'organizationId',
    `insert into organizations (id, name, code, plan, max_members, max_documents_per_month, max_storage_bytes, created_at)
     select md5('tenant ' || i)::uuid, 'Tenant ' || i, 'tenant-' || i, (select plan from organizations where id = $1), 1000,
       1000, 1e12, ${at('$4')} from generate_series($2::bigint, $3) as i`,
  ],
  [
    'people',
    'organizationId',
    `insert into users (id, name, email, role, organization_id, created_at, email_proven_at)
     select ${id('$4')}, 'Person ' || i, 'person-' || i || '@large.test', 'ROLE_USER', $1, ${at('$4')}, now()
     from generate_series($2::bigint, $3) as i`,
  ],
  [
    'people',
    'organizationId',
    `insert into users (id, name, email, role, organization_id, created_at, email_proven_at)
     select ${id('$4')}, 'Person ' || i || ' ' || n, 'person-' || i || '-' || n || '@others.test', 'ROLE_USER',
       nullif((select id from organizations where id = md5('tenant ' || (i * 9 + n) / 18)::uuid), $1), ${at('$4')}, now()
     from generate_series($2::bigint, $3) as i, generate_series(1, 9) as n`,
  ],
  [
    'chats',
    'personId',
    `with made as (
       insert into chats (id, user_id, title, tags, timestamp_ms, message_count, created_at, updated_at)
       select ${id('$4')}, $1, 'About ships and harbours, part ' || i, array['Topic ' || i % 40, 'Part ' || i % 300], 0, 2,
         ${at('$4')}, ${at('$4')}
       from generate_series($2::bigint, $3) as i returning id, title)
     insert into chat_messages (chat_id, id, user_id, role, content, done, timestamp_sec)
     select made.id, gen_random_uuid(), $1, role, 'The harbour is full of ' || role || ' ships. ' || title, true, 0
     from made, (values ('user'), ('assistant')) as roles (role) where $4 > 0`,
  ],
  [
    'documents',
    'adminId',
    `with made as (
       insert into signing_documents (id, kind, scope_id, organization_id, owner_id, owner_name, owner_email, title,
         language, state, signing_order, email_otp, allow_delegation, audit_head, created_at, updated_at)
       select ${id('$4')}, 'DOCUMENT', organization_id, organization_id, id, name, email, 'Contract ' || i, 'en',
         case when i % 3 = 0 then 'DRAFT' when i % 3 = 1 then 'SENT' else 'CANCELLED' end, 'PARALLEL', false, false, '',
         ${at('$4')}, ${at('$4')}
       from users, generate_series($2::bigint, $3) as i where users.id = $1 returning id, created_at),
     signers as (
       insert into signing_recipients (id, document_id, name, email, role, order_number, state, created_at)
       select gen_random_uuid(), id, 'Signer', 'signer@example.test', 'SIGNER', 1, 'NOTIFIED', created_at from made),
     originals as (
       insert into signing_originals (id, blob_key, sha256, bytes, page_count, pages, created_at)
       select id, id, '', 100000, 1, '[]', created_at from made)
     insert into signing_files (id, document_id, original_id, position, name, created_at)
     select gen_random_uuid(), id, id, 0, 'contract.pdf', created_at from made`,
  ],
  [
    'chats',
    'adminId',
    `insert into files (id, owner_kind, owner_id, organization_id, name, content_type, size, sha256, blob_key, state,
       created_at, updated_at)
     select ${id('$4')}, 'user', id, organization_id, 'Notes ' || i, 'text/plain', 1000, md5('' || i), gen_random_uuid(),
       'stored', ${at('$4')}, ${at('$4')}
     from users, generate_series($2::bigint, $3) as i where users.id = $1`,
  ],
  [
    'subscriptions',
    'organizationId',
    `insert into subscriptions (id, scope_id, workflow_id, name, event_type, filter_expr, concurrency, created_at)
     select ${id('$4')}, ${scopeOf}, md5('workflow ' || i % 5000)::uuid, 'Trigger ' || i, 'type_' || i % 40,
       'payload["n"] > 5', 'parallel', ${at('$4')} from generate_series($2::bigint, $3) as i`,
  ],
  [
    'events',
    'organizationId',
    `insert into events (event_id, scope_id, event_type, source, correlation_id, payload, payload_bytes, published_at,
       root_event_id)
     select ${id('$4')}, ${scopeOf}, 'type_' || i % 40, 'source_' || i % 100, 'c-' || i / 5, '{"n": 1}', 8, ${at('$4')},
       md5('root')::uuid from generate_series($2::bigint, $3) as i`,
  ],
  [
    'events',
    'organizationId',
    `insert into event_deliveries (seq, event_id, subscription_id, scope_id, subscription_name, workflow_id, correlation_id,
       decision, decided_at)
     select seq, event_id, md5('subscription')::uuid, scope_id, 'Trigger', md5('workflow')::uuid, correlation_id,
       'filter_false', published_at from events where $1::uuid is not null and $2::bigint + $3 + $4 > 0
     on conflict do nothing`,
  ],
  [
    'runs',
    'organizationId',
    `insert into runs (id, workflow_id, workflow_name, version_id, version, graph_hash, scope_id, status, trigger_kind,
       input, deadline_at, created_at, started_at, finished_at)
     select ${id('$4')}, md5('workflow ' || i % 5000)::uuid, 'Workflow', md5('v')::uuid, 1, 'hash', ${scopeOf},
       case when i % 100 = 0 then 'failed' else 'succeeded' end, 'event', '{}', now(), ${at('$4')}, ${at('$4')}, ${at('$4')}
     from generate_series($2::bigint, $3) as i`,
  ],
  [
    'audit',
    'organizationId',
    `insert into audit_log (id, at, action, actor_kind, actor_id, actor_name, organization_id)
     select ${id('$4')}, ${at('$4')}, 'chat.shared', 'user', md5('person ' || i % 500)::uuid, 'Person ' || i % 500,
       ${scopeOf} from generate_series($2::bigint, $3) as i`,
  ],
]

export const fill = async (pool: Pool, owners: Owners, from: Sizes, to: Sizes): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const [rows, owner, sql] of statements)
      await client.query(sql, [owners[owner], from[rows] + 1, to[rows], to[rows]])
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
}
