/** The sockets of one account. */
import type { AtOnceQuota } from '#kernel/quotas/index.ts'

/** Enough for many tabs and devices; a client that opens more leaks sockets, and its oldest are disconnected. */
export const socketsQuota: AtOnceQuota = {
  kind: 'at_once',
  name: 'sockets',
  what: 'sockets of one account on a node',
  most: 50,
  per: 'account',
}
