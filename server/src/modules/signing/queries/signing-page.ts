/** Reads a recipient's page in one statement: this is read far more often than anything is signed. */
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { DocumentRow } from './documents.ts'
import type { FieldRow } from './fields.ts'
import type { ShownFile } from './files.ts'
import type { RecipientRow } from './recipients.ts'

type OwnRecipient = Pick<RecipientRow, 'id' | 'name' | 'email' | 'role' | 'state' | 'message' | 'language'> &
  Pick<RecipientRow, 'consentedAt' | 'byCopiedLink'>

export interface SigningPage {
  document: Pick<
    DocumentRow,
    | 'id'
    | 'title'
    | 'message'
    | 'summary'
    | 'state'
    | 'language'
    | 'ownerName'
    | 'organizationId'
    | 'expiresAt'
    | 'allowDelegation'
    | 'signingOrder'
    | 'emailOtp'
  >
  recipient: OwnRecipient
  /** The account that the link was made for; null: it was mailed. */
  userId: string | null
  isCopied: boolean
  recipients: Pick<RecipientRow, 'id' | 'name' | 'role' | 'orderNumber' | 'state'>[]
  /** Both are empty once the recipient is done, and after the expiry. */
  files: ShownFile[]
  fields: Omit<FieldRow, 'documentId' | 'position'>[]
  hasSession: boolean
}

type Page = SigningPage['document'] &
  Pick<SigningPage, 'recipients' | 'hasSession' | 'userId' | 'isCopied'> & {
    files: ShownFile[] | null
    fields: SigningPage['fields'] | null
    ownId: string
    ownName: string
    ownEmail: string
    ownRole: OwnRecipient['role']
    ownState: OwnRecipient['state']
    ownMessage: string | null
    ownLanguage: OwnRecipient['language']
    ownConsentedAt: Date | null
    ownByCopiedLink: boolean
  }

interface Visit {
  linkHash: string
  /** The hash of the session that the browser presents; empty without one. */
  sessionHash: string
  now: Date
}

/** Fields of others are shown once those others have signed. A link that was revoked or has ended is unknown. */
export const findSigningPageUnscoped = async (
  db: Db,
  { linkHash, sessionHash, now }: Visit,
): Promise<SigningPage | undefined> => {
  const { rows } = await prepared<Page>`
    select d.id, d.title, d.message, d.summary, d.state, d.language, d.owner_name, d.organization_id, d.expires_at,
      d.allow_delegation, d.signing_order, d.email_otp, l.user_id, l.is_copied,
      r.id as own_id, r.name as own_name, r.email as own_email, r.role as own_role, r.state as own_state,
      r.message as own_message, r.language as own_language, r.consented_at as own_consented_at,
      r.by_copied_link as own_by_copied_link,
      exists (select from signing_sessions as s
        where s.token_hash = ${sessionHash} and s.link_hash = l.token_hash and s.expires_at > ${now}) as has_session,
      (select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', o.role, 'orderNumber', o.order_number,
          'state', o.state) order by o.order_number, o.id)
        from signing_recipients as o where o.document_id = d.id) as recipients,
      case when d.state = 'SENT' and r.state in ('PENDING', 'NOTIFIED', 'OPENED')
        and (d.expires_at is null or d.expires_at > ${now}) then
        (select json_agg(json_build_object('id', f.id, 'name', f.name, 'sha256', o.sha256, 'bytes', o.bytes,
            'pageCount', o.page_count, 'pages', o.pages) order by f.position, f.id)
          from signing_files as f join signing_originals as o on o.id = f.original_id where f.document_id = d.id)
        end as files,
      case when d.state = 'SENT' and r.state in ('PENDING', 'NOTIFIED', 'OPENED')
        and (d.expires_at is null or d.expires_at > ${now}) then
        (select json_agg(json_build_object('id', f.id, 'fileId', f.file_id, 'recipientId', f.recipient_id,
            'type', f.type, 'page', f.page, 'x', f.x, 'y', f.y, 'width', f.width, 'height', f.height,
            'required', f.required, 'readOnly', f.read_only, 'label', f.label, 'rules', f.rules, 'value', f.value,
            'filledBy', f.filled_by)
            order by f.position)
          from signing_fields as f join signing_recipients as o on o.id = f.recipient_id
          where f.document_id = d.id and (o.id = r.id or o.state = 'SIGNED'))
        end as fields
    from signing_links as l
    join signing_recipients as r on r.id = l.recipient_id
    join signing_documents as d on d.id = r.document_id
    where l.token_hash = ${linkHash} and l.revoked_at is null
      and (l.expires_at is null or l.expires_at > ${now})`.execute(db)
  return rows[0] && asPage(rows[0])
}

const asPage = (row: Page): SigningPage => {
  const { files, fields, recipients, hasSession, userId, isCopied, ...document } = row
  return {
    document,
    recipient: {
      id: row.ownId,
      name: row.ownName,
      email: row.ownEmail,
      role: row.ownRole,
      state: row.ownState,
      message: row.ownMessage,
      language: row.ownLanguage,
      consentedAt: row.ownConsentedAt,
      byCopiedLink: row.ownByCopiedLink,
    },
    userId,
    isCopied,
    recipients,
    files: files ?? [],
    fields: fields ?? [],
    hasSession,
  }
}
