/** Pure. How a recipient proved that the address is theirs. */
import type { Authentication } from '@chancery/contract/signing/documents.ts'

interface Proof {
  isAccount: boolean
  /** The sender had the link, so it proves nothing by itself. */
  isCopied: boolean
  hasCode: boolean
}

export const authenticationOf = ({ hasCode, ...proof }: Proof): Authentication => {
  const method = methodOf(proof)
  return hasCode ? `${method}_and_code` : method
}

export const methodOf = ({ isAccount, isCopied }: Pick<Proof, 'isAccount' | 'isCopied'>) => {
  if (isAccount) return 'account'
  return isCopied ? 'copied_link' : 'link'
}
