/**
 * A recipient opens the document: they ask to open it, and are given a file of it. Each file that they are given is noted
 * once with its hash, so that the certificate can say what they saw.
 */
import type { RecipientState } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { methodOf } from '../evidence/authentication.ts'
import { record } from '../evidence/record.ts'
import { hasFetchUnscoped } from '../queries/audit.ts'
import { lockDocumentUnscoped } from '../queries/documents.ts'
import { type FileRow, listFilesUnscoped } from '../queries/files.ts'
import { updateRecipientUnscoped } from '../queries/recipients.ts'
import { hasExpired } from './refusals.ts'
import { authorOf, getSigner, requireIn, type Signer, type Visit, withSigner } from './signer.ts'

/** Which way the recipient came. */
export const via = ({ userId, isCopied }: Signer) => ({
  via: methodOf({ isAccount: userId !== null, isCopied }),
  ...(userId !== null && { userId }),
})

/** They ask to open it; it is opened once they have fetched it, too. */
export const openDocument = async (context: SigningContext, visit: Visit, timeZone?: string) => {
  const states = await withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const now = context.kernel.clock.now()
    if (!isOpenable(signer) || hasExpired(document, now))
      return { recipientState: recipient.state, documentState: document.state }
    const openAskedAt = recipient.openAskedAt ?? now
    const asked = await updateRecipientUnscoped(tx, recipient.id, { openAskedAt, ...(timeZone && { timeZone }) })
    const recipientState = await noteOpened(context, tx, { signer: { ...signer, recipient: asked }, visit })
    return { recipientState, documentState: document.state }
  })
  context.bus.wake()
  return states
}

/** They fetch a file of it. Reading alone is no opening: a program that follows links does it, too. */
export const noteFetched = async (
  context: SigningContext,
  visit: Visit,
  { signer, fileId }: { signer: Signer; fileId: string | undefined },
): Promise<void> => {
  const { db } = context.kernel
  const { id: documentId } = signer.document
  const files = await listFilesUnscoped(db, documentId)
  const file = fileId === undefined ? files[0] : files.find(({ id }) => id === fileId)
  if (!file || ((await isNoted(db, signer, file)) && !isFirstFetch(signer))) return
  await context.pages.change(documentId, () =>
    db.transaction().execute(async (tx) => {
      await lockDocumentUnscoped(tx, documentId)
      const current = requireIn(await getSigner(context, visit, tx))
      if (current.document.state !== 'SENT') return
      await noteFile(context, tx, { signer: current, visit, file })
      await noteFirstFetch(context, tx, { signer: current, visit })
    }),
  )
  context.bus.wake()
}

interface Fetched {
  signer: Signer
  visit: Visit
}

/** `asked`: they had asked to open it. Until then it may be a program that follows links. */
const detailOf = (signer: Signer, { id: fileId, sha256 }: FileRow) => {
  const { id: recipientId, openAskedAt } = signer.recipient
  return { recipientId, fileId, sha256, version: 'original', asked: openAskedAt !== null, ...via(signer) }
}

/** Once for each file, person and way of coming: a page that is loaded again adds nothing. */
const isNoted = (db: Db, signer: Signer, file: FileRow): Promise<boolean> => {
  const { email, documentId } = signer.recipient
  return hasFetchUnscoped(db, { documentId, email, detail: detailOf(signer, file) })
}

const noteFile = async (
  context: SigningContext,
  tx: Db,
  { signer, visit, file }: Fetched & { file: FileRow },
): Promise<void> => {
  if (await isNoted(tx, signer, file)) return
  const { name, pageCount } = file
  const detail = { ...detailOf(signer, file), name, pageCount }
  await record(context, tx, {
    documentId: signer.document.id,
    entries: [{ type: 'file_fetched', by: authorOf(signer, visit), detail }],
  })
}

/** Fetched by another kind of link than they act with: what they do next with it notes that. */
const isFirstFetch = ({ recipient, isCopied }: Signer): boolean =>
  recipient.fetchedAt === null && recipient.byCopiedLink === isCopied

const noteFirstFetch = async (context: SigningContext, tx: Db, { signer, visit }: Fetched): Promise<void> => {
  if (!isFirstFetch(signer) || !isOpenable(signer)) return
  const fetched = await updateRecipientUnscoped(tx, signer.recipient.id, { fetchedAt: context.kernel.clock.now() })
  await noteOpened(context, tx, { signer: { ...signer, recipient: fetched }, visit })
}

const isOpenable = ({ document, recipient }: Signer): boolean =>
  recipient.state === 'NOTIFIED' && document.state === 'SENT'

const noteOpened = async (context: SigningContext, tx: Db, { signer, visit }: Fetched): Promise<RecipientState> => {
  const { document, recipient } = signer
  if (recipient.openAskedAt === null || recipient.fetchedAt === null) return recipient.state
  await updateRecipientUnscoped(tx, recipient.id, { state: 'OPENED', openedAt: context.kernel.clock.now() })
  await record(context, tx, {
    documentId: document.id,
    entries: [{ type: 'opened', by: authorOf(signer, visit), detail: { recipientId: recipient.id, ...via(signer) } }],
  })
  await announce(context, tx, { type: 'document_opened', document, recipient })
  return 'OPENED'
}
