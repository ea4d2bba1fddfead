/** What the use cases of this module share. */
import type { AccountsContext } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'

export interface LdapContext extends AccountsContext {
  organizations: Pick<Organizations, 'admitMember' | 'announce' | 'requireWritable'>
}
