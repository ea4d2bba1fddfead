/** The subject of an actor's quotas: their scope, and their account. */
import type { QuotaSubject } from '../quotas/index.ts'
import type { Actor } from './actor.ts'
import { scopeOf } from './scope.ts'

type Caller = Pick<Actor, 'kind' | 'id' | 'organizationId' | 'emailVerified'>

export const subjectOf = (actor: Caller): QuotaSubject => ({
  scopeId: scopeOf(actor),
  account: { id: actor.id, isProven: actor.kind === 'admin' || actor.emailVerified === true },
})
