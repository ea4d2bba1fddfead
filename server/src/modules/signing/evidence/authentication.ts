/** Pure. How a recipient proved that the address is theirs. */
import type { Authentication } from '@chancery/contract/signing-documents.ts'

export const authenticationOf = ({ isAccount, hasCode }: { isAccount: boolean; hasCode: boolean }): Authentication => {
  const way = isAccount ? 'account' : 'link'
  return hasCode ? `${way}_and_code` : way
}
