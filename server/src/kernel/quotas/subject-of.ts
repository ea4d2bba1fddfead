/** The subject of an actor's quotas: their scope, and their account. */
import type { Actor } from '../http/actor.ts'
import { scopeOf } from '../http/scope.ts'
import type { QuotaSubject } from './quota.ts'

type Caller = Pick<Actor, 'kind' | 'id' | 'organizationId' | 'emailVerified'>

export const subjectOf = (actor: Caller): QuotaSubject => ({
  scopeId: scopeOf(actor),
  account: { id: actor.id, isProven: actor.kind === 'admin' || actor.emailVerified === true },
})
