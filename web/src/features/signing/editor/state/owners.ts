/** Assigns each detected field to a recipient: the one whom the page names, as far as it does. Pure. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'

type Recipient = Pick<SigningDocument['recipients'][number], 'id' | 'name' | 'role'>

export interface ProposedIn {
  fileId: string
  proposals: readonly FieldProposal[]
}

const lower = (text: string) => text.trim().toLowerCase()

const inReadingOrder = (one: FieldProposal, other: FieldProposal) =>
  one.page - other.page || one.y - other.y || one.x - other.x

/** Those who sign come first: they are the parties. */
const whoFill = (recipients: readonly Recipient[]): Recipient[] =>
  (['SIGNER', 'APPROVER'] as const).flatMap((role) => recipients.filter((recipient) => recipient.role === role))

/** In the order of the signatures; who doesn't sign comes after them. */
const partiesIn = (found: readonly ProposedIn[]): string[] => {
  const all = found.flatMap(({ proposals }) => proposals.toSorted(inReadingOrder))
  const signed = all.filter(({ type }) => type === 'SIGNATURE')
  return [...new Set([...signed, ...all].flatMap(({ party }) => (party === undefined ? [] : lower(party))))]
}

/** By name, and the others in order. One party among several recipients could be anybody. */
const recipientsOfParties = (parties: readonly string[], recipients: readonly Recipient[]): Map<string, string> => {
  const named = new Map(
    parties.flatMap((party) => {
      const match = recipients.find(({ name }) => lower(name) === party)
      return match ? [[party, match.id] as const] : []
    }),
  )
  const others = parties.filter((party) => !named.has(party))
  const left = recipients.filter(({ id }) => ![...named.values()].includes(id))
  const isClear = others.length === left.length || (others.length > 1 && others.length < left.length)
  if (!isClear) return named
  return new Map([...named, ...left.slice(0, others.length).map(({ id }, index) => [others[index] ?? '', id] as const)])
}

const distance = (one: FieldProposal, other: FieldProposal) => Math.hypot(one.x - other.x, one.y - other.y)

/** Used when no party is named: each signer gets one signature and the fields around it on its page. */
const bySignatures = ({ proposals }: ProposedIn, signers: readonly Recipient[]) => {
  const signatures = proposals.filter(({ type }) => type === 'SIGNATURE').toSorted(inReadingOrder)
  if (signers.length < 2 || signatures.length !== signers.length) return () => undefined
  return (proposal: FieldProposal): string | undefined => {
    const [closest] = signatures
      .filter(({ page }) => page === proposal.page)
      .toSorted((one, other) => distance(one, proposal) - distance(other, proposal))
    return closest && signers[signatures.indexOf(closest)]?.id
  }
}

/** A field that the page assigns to nobody goes to the chosen recipient. */
export function ownersOf(
  found: readonly ProposedIn[],
  { recipients, chosenId }: { recipients: readonly Recipient[]; chosenId: string },
): (fileId: string, proposal: FieldProposal) => string {
  const parties = partiesIn(found)
  const ofParty = recipientsOfParties(parties, whoFill(recipients))
  const signers = recipients.filter(({ role }) => role === 'SIGNER')
  const around = new Map(found.map((file) => [file.fileId, bySignatures(file, signers)]))
  return (fileId, proposal) => {
    const named = proposal.party === undefined ? undefined : ofParty.get(lower(proposal.party))
    return named ?? (parties.length === 0 ? around.get(fileId)?.(proposal) : undefined) ?? chosenId
  }
}
