/**
 * What an organization is in the database: each table with which of its rows, in the order in which rows may refer to each
 * other. A new table is named here or declined in `declined.ts`; a test refuses one that is neither.
 */

export interface TableRule {
  /** Which rows; `$org` stands for the organization's id. */
  where: string
  /** Also true of every row that is imported, beyond `where`. */
  demands?: string
  /** Exported instead of what the column holds. */
  values?: Readonly<Record<string, string>>
  /** Columns that are neither exported nor imported. */
  without?: readonly string[]
}

const people = '(select id from public.users where organization_id = $org)'
const scopes = '(select $org union all select id from public.users where organization_id = $org)'

const ofOrganization = 'organization_id = $org'
const ofPerson = `user_id in ${people}`
const ofScope = `scope_id in ${scopes}`
const ofOwner = `owner_kind = 'user' and owner_id in ${people}`

const idsOf = (table: string, where: string, id = 'id'): string => `(select ${id} from public.${table} where ${where})`

const ownFiles = `owner_kind = 'user' and (owner_id in ${people} or ${ofOrganization})`
const files = idsOf('files', ownFiles)
const collections = idsOf('knowledge_collections', ofOwner)
const chats = idsOf('chats', ofPerson)
const units = idsOf('units', ofOrganization)
const workflows = idsOf('workflows', ofScope)
/** One that goes on here must not go on there as well. */
const endedRuns = `${ofScope} and finished_at is not null`
const runs = idsOf('runs', endedRuns)
const documents = idsOf('signing_documents', ofScope)
const recipients = idsOf('signing_recipients', `document_id in ${documents}`)

/** Only a platform admin may open something to everybody. */
const restricted = { where: ofOwner, values: { is_restricted: 'true' }, demands: 'is_restricted' }
/** Nothing is started in two places: somebody switches it on where it is to run. */
const switchedOff = { where: ofScope, values: { enabled: 'false' }, demands: 'not enabled' }

const granted = `(resource_type = 'model' and resource_id in ${idsOf('models', ofOwner)}
  or resource_type = 'knowledge' and resource_id in ${idsOf('knowledge_collections', ofOwner, 'id::text')})
  and (principal_id = $org or principal_id in ${people} or principal_id in ${units})`

const limited = `subject_type = 'organization' and subject_id = $org
  or subject_type = 'user' and subject_id in ${people} or subject_type = 'group' and subject_id in ${units}`

export const exported: Readonly<Record<string, TableRule>> = {
  organizations: { where: 'id = $org' },
  users: { where: ofOrganization },
  user_identities: { where: ofPerson },
  // An account that asked for more than a password does so there as well.
  factors: { where: `principal_kind = 'user' and principal_id in ${people}` },
  recovery_codes: { where: `principal_id in ${people}` },
  // Proven again where it is imported: a domain decides whose account a newcomer gets.
  organization_domains: { where: ofOrganization, without: ['verified_at'] },
  units: { where: ofOrganization },
  unit_members: { where: `unit_id in ${units} and ${ofPerson}` },
  organization_seal_keys: { where: ofOrganization },
  ldap_directories: { where: ofOrganization },
  ldap_entries: { where: ofOrganization },
  identity_providers: { where: ofOrganization },
  scim_people: { where: ofOrganization },
  scim_groups: { where: ofOrganization },
  scim_settings: { where: ofOrganization },
  scim_admins: { where: ofOrganization },
  sso_provisioned: { where: ofOrganization },
  sso_suspensions: { where: ofPerson },

  audio_preferences: { where: ofPerson },
  chat_defaults: { where: ofPerson },
  model_defaults: { where: `${ofPerson} or ${ofOrganization}` },
  memories: { where: ofPerson },
  memory_switches: { where: ofPerson },
  prompts: { where: ofPerson },
  chat_folders: { where: ofPerson },
  chats: { where: ofPerson },
  chat_messages: { where: `chat_id in ${chats}` },
  chat_shares: { where: `chat_id in ${chats}` },
  message_ratings: { where: `chat_id in ${chats} and ${ofPerson}` },

  // One without a base is an administrator's word on a connection's model, which it would hide from everybody else.
  models: { ...restricted, demands: 'is_restricted and base_model_id is not null' },

  files: { where: ownFiles },
  file_texts: { where: `file_id in ${files}` },
  file_images: { where: `file_id in ${files}` },
  transcript_pieces: { where: `file_id in ${files}` },
  knowledge_collections: restricted,
  knowledge_files: { where: `collection_id in ${collections} and file_id in ${files}` },
  knowledge_waiting: { where: `collection_id in ${collections} and file_id in ${files}` },
  // Found by words at once, by meaning when the collection was indexed again.
  knowledge_documents: { where: `file_id in ${files}`, values: { is_stale: 'true', stale_for: 'null::uuid' } },
  knowledge_chunks: { where: `file_id in ${files}` },
  knowledge_crawls: { where: `collection_id in ${collections} and ${ofPerson} and state <> 'running'` },
  knowledge_crawl_pages: {
    where: `crawl_id in ${idsOf('knowledge_crawls', `collection_id in ${collections} and ${ofPerson} and state <> 'running'`)}`,
  },
  access_grants: { where: granted },
  usage_days: { where: ofOrganization },
  usage_limits: { where: limited },

  spaces: { where: ofScope },
  space_members: { where: `space_id in ${idsOf('spaces', ofScope)} and ${ofPerson}` },
  catalogs: { where: ofScope },
  http_credentials: { where: ofScope },
  workflows: { where: ofScope },
  workflow_graphs: { where: `workflow_id in ${workflows}` },
  workflow_versions: { where: `workflow_id in ${workflows}` },
  workflow_run_hours: { where: `workflow_id in ${workflows}` },
  cron_triggers: { ...switchedOff, where: `${ofScope} and workflow_id in ${workflows}` },
  webhook_triggers: { ...switchedOff, where: `${ofScope} and workflow_id in ${workflows}` },
  subscriptions: switchedOff,
  runs: { where: endedRuns },
  run_steps: { where: `run_id in ${runs}` },
  run_model_calls: { where: `step_id in ${idsOf('run_steps', `run_id in ${runs}`)}` },
  run_errors: { where: `run_id in ${runs}` },
  approvals: { where: `run_id in ${runs} and ${ofScope}` },
  approval_retention: { where: ofScope },

  signing_ai: { where: ofScope },
  // Their scope is set, and their bytes are counted, when a document names them.
  signing_originals: {
    where: `id in ${idsOf('signing_files', `document_id in ${documents}`, 'original_id')}`,
    without: ['scope_id'],
  },
  signing_documents: { where: ofScope },
  // Whether the invitation went out, without what it said.
  mail_outbox: {
    where: `id in ${idsOf('signing_recipients', `document_id in ${documents}`, 'mail_id')} and status in ('sent', 'failed')`,
    values: { sealed_body: 'null::text' },
    demands: 'sealed_body is null',
  },
  signing_files: { where: `document_id in ${documents}` },
  signing_recipients: { where: `document_id in ${documents}` },
  signing_fields: { where: `document_id in ${documents}` },
  signing_links: { where: `recipient_id in ${recipients}` },
  signing_audit: { where: `document_id in ${documents}` },
  signing_bulk_jobs: { where: ofScope },
  signing_bulk_rows: { where: `job_id in ${idsOf('signing_bulk_jobs', ofScope)}` },
  signing_mail_refusals: { where: `owner_id in ${people}` },
  webhook_endpoints: { where: ofScope },
  webhook_deliveries: { where: `endpoint_id in ${idsOf('webhook_endpoints', ofScope)} and state <> 'PENDING'` },

  audit_log: { where: ofOrganization },
}

/** An SQL condition for one organization. The id is from a uuid column, or was checked to be one. */
export const forOrganization = (where: string, id: string): string => `(${where.replaceAll('$org', `'${id}'::uuid`)})`
