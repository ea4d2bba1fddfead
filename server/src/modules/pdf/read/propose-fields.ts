/**
 * Proposes fields from what a PDF shows: its own form fields, blanks to fill in, and labels with nothing after them.
 * Works in the languages of the recipient's page that use Latin letters. Pure.
 */

import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import type { FieldType } from '@chancery/contract/signing/signing.ts'
import type { PdfFacts } from '../interface.ts'
import { createPartyFinder, partyIn } from './find-party.ts'
import type { LinePiece, ReadLine } from './read-lines.ts'

const maxProposals = 300

/** The first that fits. Signatures come before names: "name and signature" is to be signed. */
const meanings: readonly (readonly [FieldType, RegExp])[] = [
  ['INITIALS', /\binitials?\b|\bparaphe|\bk[üu]rzel\b|\biniciales\b|\brubrica\b/i],
  ['SIGNATURE', /\bsign(ed|ature)?\b|unterschrift|\bfirma\b|\bassinatura\b/i],
  ['DATE', /\bdate\b|\bdatum\b|\bfecha\b|\bdata\b/i],
  ['EMAIL', /\be-?mail\b|\bcorreo\b|\bcourriel\b/i],
  ['NAME', /\bname\b|\bnom\b|\bnombre\b|\bnome\b/i],
]

const meaningOf = (label: string): FieldType | undefined => meanings.find(([, words]) => words.test(label))?.[0]

/** `signerName` and `signer_name` are words too. */
const asWords = (name: string): string => name.replace(/[_.-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')

/** `people` are the recipients' names. */
export const proposeFields = (
  formFields: PdfFacts['formFields'],
  lines: readonly ReadLine[],
  people: readonly string[],
): FieldProposal[] => {
  const findParty = createPartyFinder(lines, people)
  const fromForm = formFields.flatMap(ofFormField)
  const fromText = lines.flatMap((line, index) => ofLine(line, lines[index + 1], people))
  const free = fromText.filter((proposal) => !fromForm.some((taken) => overlaps(proposal, taken)))
  return [...fromForm, ...free].slice(0, maxProposals).map((proposal) => {
    const party = findParty({ ...proposal, label: asWords(proposal.label) })
    return party === undefined ? proposal : { ...proposal, party }
  })
}

const formTypes: Record<string, FieldType> = {
  signature: 'SIGNATURE',
  checkbox: 'CHECKBOX',
  radio: 'RADIO',
  dropdown: 'DROPDOWN',
  list: 'DROPDOWN',
}

const ofFormField = ({ name, type, ...box }: PdfFacts['formFields'][number]): FieldProposal[] => {
  const found = type === 'text' ? (meaningOf(asWords(name)) ?? 'TEXT') : formTypes[type]
  return found ? [{ ...box, type: found, label: name, source: 'form' }] : []
}

const shortestBlank = 3
/** A signature needs more height than a line has. */
const heightOf = (type: FieldType, line: number): number => (type === 'SIGNATURE' ? line * 2.5 : line * 1.4)

const ofLine = (
  { page, pieces }: ReadLine,
  below: ReadLine | undefined,
  people: readonly string[],
): FieldProposal[] => {
  const blanks = pieces.flatMap((piece, index) => {
    if (!piece.isBlank || piece.text.length < shortestBlank) return []
    const before = labelIn(pieces[index - 1])
    if (before !== '') return [proposeAt(page, piece, { type: meaningOf(before) ?? 'TEXT', label: before })]
    const label = labelBelow(piece, page, below)
    // A line above nothing but who it is for is there to be signed.
    const unnamed = partyIn(label, people) === undefined ? 'TEXT' : 'SIGNATURE'
    return [proposeAt(page, piece, { type: meaningOf(label) ?? unnamed, label })]
  })
  if (blanks.length > 0) return blanks
  return pieces.flatMap((piece, index) => afterLabel(page, piece, pieces[index + 1]))
}

const labelIn = (piece: LinePiece | undefined): string =>
  !piece || piece.isBlank ? '' : piece.text.trim().replace(/:$/, '').slice(-80)

/** Many forms have the label under the line. */
const labelBelow = (blank: LinePiece, page: number, below: ReadLine | undefined): string =>
  below?.page === page
    ? labelIn(
        below.pieces.find(({ x, width, isBlank }) => !isBlank && x < blank.x + blank.width && x + width > blank.x),
      )
    : ''

const endsLabel = /:\s*$/

/**
 * "Date:" at the end of a line, or of its column when the next one has a label too. A label that means nothing to us is
 * more likely the end of a sentence.
 */
const afterLabel = (page: number, piece: LinePiece, next: LinePiece | undefined): FieldProposal[] => {
  const label = labelIn(piece)
  const type = meaningOf(label)
  const x = piece.x + piece.width + 0.01
  if (!type || !endsLabel.test(piece.text) || label.length > 40 || x > 0.85) return []
  if (next && !endsLabel.test(next.text)) return []
  const width = Math.min(0.3, (next?.x ?? 0.96) - x - 0.01)
  return width < 0.05 ? [] : [proposeAt(page, { ...piece, x, width }, { type, label })]
}

const proposeAt = (
  page: number,
  piece: LinePiece,
  { type, label }: Pick<FieldProposal, 'type' | 'label'>,
): FieldProposal => {
  const height = heightOf(type, piece.height)
  const y = Math.max(0, piece.y + piece.height - height)
  return { page, x: piece.x, y, width: piece.width, height, type, label, source: 'text' }
}

const overlaps = (one: FieldProposal, other: FieldProposal): boolean =>
  one.page === other.page &&
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height
