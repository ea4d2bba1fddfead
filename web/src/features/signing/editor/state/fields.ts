/** Pure. The fields of a draft while they are edited. They have keys of their own, since new ones have no ID yet. */

import type { FieldInput, SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import type { FieldType } from '@chancery/contract/signing/signing.ts'
import type { PageSize } from '../../pdf/pdf-file.tsx'
import { type Box, insidePage } from './geometry.ts'
import type { ProposedIn } from './owners.ts'

export type EditorField = Omit<SigningDocument['fields'][number], 'id'> & { key: string }

export const fieldsOf = ({ fields }: Pick<SigningDocument, 'fields'>): EditorField[] =>
  fields.map(({ id, ...field }) => ({ ...field, key: id }))

/** In points, as on a page of paper. */
const sizes: Record<FieldType, [width: number, height: number]> = {
  SIGNATURE: [170, 48],
  INITIALS: [64, 36],
  NAME: [170, 22],
  EMAIL: [190, 22],
  DATE: [96, 22],
  TEXT: [170, 22],
  NUMBER: [90, 22],
  CHECKBOX: [18, 18],
  RADIO: [150, 22],
  DROPDOWN: [150, 22],
}

export interface Spot {
  fileId: string
  page: number
  size: PageSize
  /** The middle of the field. */
  x: number
  y: number
}

interface NewField {
  key: string
  type: FieldType
  recipientId: string
  spot: Spot
}

export function newField({ key, type, recipientId, spot: { fileId, page, size, x, y } }: NewField): EditorField {
  const [width, height] = [sizes[type][0] / size.width, sizes[type][1] / size.height]
  const box = insidePage({ x: x - width / 2, y: y - height / 2, width, height })
  return { key, recipientId, fileId, page, ...box, ...startOf(type), label: null }
}

/** `Date: ____` beside a signature is the day of signing; `Date of birth: ____` is not. */
const isSigningDay = (label: string): boolean =>
  label === '' || /^(date|datum|fecha|data|日期|日付|التاريخ)$/i.test(label.trim())

const startOf = (type: FieldType, label = '') => ({
  type,
  required: type !== 'CHECKBOX',
  readOnly: false,
  value: null,
  ...(type === 'DATE' && { signingDay: isSigningDay(label) }),
  ...((type === 'RADIO' || type === 'DROPDOWN') && { options: ['Option 1', 'Option 2'] }),
})

/** Proposed fields, without those that overlap one that is there already. */
export const detectedFields = (
  found: readonly ProposedIn[],
  fields: readonly EditorField[],
  { ownerOf, keyOf }: { ownerOf: (fileId: string, proposal: FieldProposal) => string; keyOf: () => string },
): EditorField[] =>
  found.flatMap(({ fileId, proposals }) => {
    const taken = fields.filter((field) => field.fileId === fileId)
    return proposals
      .filter((proposal) => !taken.some((field) => field.page === proposal.page && touches(field, proposal)))
      .map((proposal) => {
        const { page, type, label, x, y, width, height } = proposal
        return {
          key: keyOf(),
          recipientId: ownerOf(fileId, proposal),
          fileId,
          page,
          ...insidePage({ x, y, width, height }),
          ...startOf(type, label),
          label: label === '' ? null : label,
        }
      })
  })

const touches = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

const pasteOffset = 0.02

/** Copies for a page, moved a little where they come from the same page. */
export const pasted = (
  copied: readonly EditorField[],
  { fileId, page }: { fileId: string; page: number },
  keyOf: () => string,
): EditorField[] =>
  copied.map((field) => {
    const by = field.fileId === fileId && field.page === page ? pasteOffset : 0
    return {
      ...field,
      ...insidePage({ ...field, x: field.x + by, y: field.y + by }),
      key: keyOf(),
      fileId,
      page,
    }
  })

/** Without fields whose recipient or file is gone: those can't be saved, and the server has dropped them too. */
export const belonging = (
  fields: readonly EditorField[],
  { recipients, files }: Pick<SigningDocument, 'recipients' | 'files'>,
): EditorField[] =>
  fields.filter(
    ({ recipientId, fileId }) =>
      recipients.some(({ id }) => id === recipientId) && files.some(({ id }) => id === fileId),
  )

/** `ids` holds the server's ID of every field that was saved before. */
export const toInput = (fields: readonly EditorField[], ids: ReadonlyMap<string, string>): FieldInput[] =>
  fields.map(({ key, ...field }) => {
    const id = ids.get(key)
    return { ...field, ...(id !== undefined && { id }) }
  })

/** The reply has the fields in the order in which they were sent. */
export const learnIds = (
  ids: ReadonlyMap<string, string>,
  sent: readonly EditorField[],
  saved: SigningDocument['fields'],
): Map<string, string> =>
  new Map([...ids, ...sent.flatMap(({ key }, index) => (saved[index] ? [[key, saved[index].id] as const] : []))])
