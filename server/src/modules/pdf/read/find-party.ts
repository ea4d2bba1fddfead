/**
 * Finds who should fill in a field according to the page: the party ("Supplier", "Kunde") or the person named in the
 * field's label, or in the closest short heading above it. Works in the languages of the recipient's page that use
 * Latin letters. Pure.
 */
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import type { LinePiece, ReadLine } from './read-lines.ts'

const roles = [
  'supplier|vendor|seller|provider|contractor|consultant|freelancer|agency|licensor|lessor|landlord|employer|lender',
  'client|customer|buyer|purchaser|licensee|lessee|tenant|employee|borrower|company',
  '(?:first|second|disclosing|receiving) party|party (?:[ab12]|one|two)',
  'auftragnehmer|lieferant|verkäufer|dienstleister|lizenzgeber|vermieter|arbeitgeber|darlehensgeber',
  'auftraggeber|kunde|käufer|lizenznehmer|mieter|arbeitnehmer|darlehensnehmer',
  'fournisseur|prestataire|vendeur|bailleur|employeur|acheteur|locataire|salarié',
  'proveedor|prestador|vendedor|arrendador|empleador|cliente|comprador|arrendatario|empleado',
  'fornecedor|locador|empregador|contratado|contratante|locatário|empregado',
  'fornitore|venditore|locatore|datore di lavoro|acquirente|conduttore|dipendente',
].join('|')

/** A letter may follow, as in "Kunden" or "suppliers", but no other word. */
const role = new RegExp(`(?<!\\p{L})(?:${roles})(?=(?:in|n|s|e|a)?(?!\\p{L}))`, 'giu')

const mostWords = 7
/** Of the page's height: a heading further up is about something else. */
const reach = 0.3

/** The only one that the text names; a sentence about two parties belongs to neither. */
export const partyIn = (text: string, people: readonly string[]): string | undefined => {
  const lower = text.toLowerCase()
  const named = people.filter((name) => name !== '' && lower.includes(name.toLowerCase()))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  const found = new Map([...text.matchAll(role)].map(([word]) => [word.toLowerCase(), word]))
  return found.size === 1 ? [...found.values()][0] : undefined
}

/** Short, and not the end of a sentence. */
const isHeading = ({ text, isBlank }: LinePiece): boolean =>
  !isBlank && !/[.,;]\s*$/.test(text) && text.trim().split(/\s+/).length <= mostWords

type Spot = Pick<FieldProposal, 'page' | 'x' | 'y' | 'width' | 'height' | 'label'>

/** `people` are the recipients' names. */
export const createPartyFinder = (lines: readonly ReadLine[], people: readonly string[]) => {
  const headings = lines.flatMap(({ page, pieces }) =>
    pieces.filter(isHeading).flatMap((piece) => {
      const party = partyIn(piece.text, people)
      return party === undefined ? [] : [{ page, x: piece.x, y: piece.y, height: piece.height, party }]
    }),
  )
  return (spot: Spot): string | undefined => {
    const own = partyIn(spot.label, people)
    if (own !== undefined) return own
    // A column's heading begins left of the field's end. Of two in one line, the one further right is closer.
    const bottom = spot.y + spot.height
    const above = headings.filter(
      ({ page, x, y }) => page === spot.page && y < bottom && bottom - y < reach && x < spot.x + spot.width,
    )
    const lowest = above.toSorted((one, other) => other.y - one.y)[0]
    if (!lowest) return undefined
    const sameLine = above.filter(({ y, height }) => Math.abs(y - lowest.y) < height)
    return sameLine.toSorted((one, other) => other.x - one.x)[0]?.party
  }
}
