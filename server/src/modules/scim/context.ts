import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'

export interface ScimContext extends Kernel {
  accounts: Accounts
  organizations: Organizations
}

/** An organization's directory, by the token it came with. */
export interface Directory {
  /** The token's; limits go by it. */
  id: string
  organizationId: string
}

declare module '#kernel/http/access.ts' {
  interface AccessKinds {
    /** A directory with a token of its organization. */
    scimToken: Directory
  }
}
