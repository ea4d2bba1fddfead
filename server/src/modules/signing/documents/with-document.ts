/** The frame of every change by an owner: one transaction, the document found through the actor and locked. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SigningContext, Source } from '../context.ts'
import type { Author } from '../evidence/record.ts'
import { type DocumentRow, findDocument, type Kind, lockDocument } from '../queries/documents.ts'

/** A change of a document: by whom, and from where. */
export interface Change {
  actor: Actor
  id: string
  from: Source
  kind?: Kind
  /** Which version of what it replaces the caller has seen; `If-Match`. */
  ifMatch?: string | undefined
}

const missing = (kind: Kind | undefined) =>
  new AppError(kind === 'TEMPLATE' ? 'template_not_found' : 'document_not_found')

export const getDocument = async (
  db: Db,
  actor: Actor,
  { id, kind = 'DOCUMENT' }: { id: string; kind?: Kind },
): Promise<DocumentRow> => {
  const document = await findDocument(db, actor, { id, kind })
  if (!document) throw missing(kind)
  return document
}

type Needs = Pick<SigningContext, 'kernel' | 'pages'>

export const withDocument = <Result>(
  { kernel, pages }: Needs,
  { actor, id, kind = 'DOCUMENT' }: Change,
  work: (tx: Db, document: DocumentRow) => Promise<Result>,
): Promise<Result> =>
  pages.change(id, () =>
    kernel.db.transaction().execute(async (tx) => {
      const document = await lockDocument(tx, actor, { id, kind })
      if (!document) throw missing(kind)
      return work(tx, document)
    }),
  )

/** Files, recipients and fields can be changed until the document is sent. */
export const withDraft = <Result>(
  context: Needs,
  change: Change,
  work: (tx: Db, document: DocumentRow) => Promise<Result>,
): Promise<Result> =>
  withDocument(context, change, (tx, document) => {
    if (document.state !== 'DRAFT') throw new AppError('document_sent')
    return work(tx, document)
  })

export const authorOf = ({ actor, from }: Pick<Change, 'actor' | 'from'>): Author => ({ kind: 'user', actor, from })
