import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import { describe, expect, it } from 'vitest'
import { ownersOf } from './owners.ts'

const recipient = (id: string, name: string, role: 'SIGNER' | 'APPROVER' | 'CC' = 'SIGNER') => ({ id, name, role })
const ana = recipient('ana', 'Ana Pereira')
const ben = recipient('ben', 'Ben Okafor')

const box = { page: 1, x: 0.1, width: 0.2, height: 0.03, label: '', source: 'text' as const }
const signature = (y: number, more: Partial<FieldProposal> = {}): FieldProposal => ({
  ...box,
  y,
  type: 'SIGNATURE',
  ...more,
})
const date = (y: number, more: Partial<FieldProposal> = {}): FieldProposal => ({ ...signature(y, more), type: 'DATE' })

const owners = (proposals: FieldProposal[], recipients = [ana, ben], chosenId = 'ana') => {
  const ownerOf = ownersOf([{ fileId: 'f', proposals }], { recipients, chosenId })
  return proposals.map((proposal) => ownerOf('f', proposal))
}

describe('detected fields', () => {
  it('go to the parties of the page in the order in which they sign', () => {
    const proposals = [
      date(0.1, { party: 'customer' }),
      signature(0.5, { party: 'Supplier' }),
      date(0.55, { party: 'Supplier' }),
      signature(0.7, { party: 'Customer' }),
      date(0.2),
    ]
    expect(owners(proposals, [ana, ben], 'ben')).toEqual(['ben', 'ana', 'ana', 'ben', 'ben'])
    expect(owners(proposals, [recipient('cc', 'Kim', 'CC'), ana, ben])).toEqual(['ben', 'ana', 'ana', 'ben', 'ana'])
  })

  it('go to the recipient whose name is there, and what is left to who is left', () => {
    const proposals = [signature(0.5, { party: 'Customer' }), signature(0.7, { party: 'ana pereira' })]
    expect(owners(proposals)).toEqual(['ben', 'ana'])
    expect(owners(proposals, [recipient('c', 'customer'), ana])).toEqual(['c', 'ana'])
  })

  it('go to the chosen recipient where it is open who a party is', () => {
    expect(owners([signature(0.5, { party: 'Tenant' })], [ana, ben], 'ben')).toEqual(['ben'])
    const three = ['Supplier', 'Customer', 'Agency'].map((party, index) => signature(index / 10, { party }))
    expect(owners(three)).toEqual(['ana', 'ana', 'ana'])
    expect(owners(three, [ana])).toEqual(['ana', 'ana', 'ana'])
  })

  it('go with the signature line beside them where no party is named and there is one for each', () => {
    const proposals = [
      signature(0.5, { x: 0.6 }),
      signature(0.5),
      date(0.6),
      date(0.6, { x: 0.6 }),
      date(0.5, { page: 2 }),
    ]
    expect(owners(proposals)).toEqual(['ben', 'ana', 'ana', 'ben', 'ana'])
    expect(owners([...proposals, signature(0.9)])).toEqual(Array(6).fill('ana'))
  })
})
