/** A text as pages: staged with the text itself, which is kept as evidence. What isn't claimed is deleted at the end. */

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { normalized } from '@chancery/contract/normalized.ts'
import { maxFields, maxRecipients } from '@chancery/contract/signing/documents.ts'
import type { TextSource } from '@chancery/contract/signing/written.ts'
import { line, PersonName } from '@chancery/contract/text.ts'
import { AppError } from '#kernel/errors.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { TaggedField, TextToWrite } from '#modules/pdf/index.ts'
import type { SigningContext } from '../context.ts'
import type { PreparedUpload } from '../documents/prepare-files.ts'
import { canonicalJson } from '../evidence/chain.ts'

export interface WrittenPages {
  file: PreparedUpload
  fields: readonly TaggedField[]
  /** Names, in the order in which the text has them. */
  roles: readonly string[]
  /** For the audit log. */
  detail: Record<string, unknown>
}

/** Names of roles are one, however they are written. */
export const sameRole = (one: string, other: string): boolean => plain(one) === plain(other)
const plain = (role: string): string => normalized(role.trim()).toLowerCase()

export const toWrite = ({ markdown, html, variables = {}, paper }: TextSource): TextToWrite => ({
  format: html === undefined ? 'markdown' : 'html',
  text: html ?? markdown ?? '',
  values: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)])),
  paper,
})

interface Wanted {
  source: TextSource
  title: string
  tenant: string
}

export const withWrittenPages = async <Result>(
  { kernel, pdfWork }: SigningContext,
  { source, title, tenant }: Wanted,
  work: (pages: WrittenPages) => Promise<Result>,
): Promise<Result> => {
  const { blobs, failpoints } = kernel
  const text = toWrite(source)
  const staged: string[] = []
  try {
    const written = await pdfWork.write(text, tenant)
    staged.push(written.file.key)
    const roles = rolesOf(text, written.fields)
    const original = await pdfWork.prepare(written.file.key, tenant)
    staged.push(original.original.key)
    const bytes = Buffer.from(text.text)
    const kept = await blobs.stage(Readable.from([bytes]), { area: 'signing', contentType: 'text/plain' })
    staged.push(kept.key)
    await failpoints.hit('signing: text written')
    // Also of HTML: it is evidence, and never a page of ours.
    const upload = {
      ...kept,
      name: `${title}.${text.format === 'html' ? 'html' : 'md'}`,
      type: 'text/plain',
    }
    const file = { upload, name: `${title}.pdf`, isConverted: false, prepared: original }
    return await work({ file, fields: written.fields, roles, detail: detailOf(text, kept.sha256) })
  } finally {
    await blobs.discardUnclaimed(staged)
  }
}

const detailOf = ({ format, values }: TextToWrite, textSha256: string): Record<string, unknown> => {
  const names = Object.keys(values)
  const sha256 = createHash('sha256').update(canonicalJson(values)).digest('hex')
  return { madeFrom: format, textSha256, ...(names.length > 0 && { variables: { names, sha256 } }) }
}

const rolesOf = ({ format }: TextToWrite, fields: readonly TaggedField[]): string[] => {
  if (fields.length > maxFields) throw problem([format], `A document has at most ${maxFields} fields.`, 'too_many')
  const roles = new Map<string, string>()
  for (const { role, label } of fields) {
    const isFit = PersonName.safeParse(role).success && (label === null || line(200).safeParse(label).success)
    if (!isFit) throw new AppError('text_tags_unknown', { detail: `Not a name for a role or a field: ${role}` })
    if (!roles.has(plain(role))) roles.set(plain(role), PersonName.parse(role))
  }
  if (roles.size > maxRecipients)
    throw problem([format], `A document has at most ${maxRecipients} recipients.`, 'too_many')
  return [...roles.values()]
}
