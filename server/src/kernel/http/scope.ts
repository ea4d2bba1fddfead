/** Tenancy: who owns what an actor makes, and whose things they may read. */
import { nilId } from '../ids.ts'
import type { Actor } from './actor.ts'

/** The scope an actor works in: their organization, or themselves if they have none. */
export const scopeOf = (actor: Pick<Actor, 'id' | 'organizationId'>): string => actor.organizationId ?? actor.id

/** The scope of what belongs to the whole instance. */
export const instanceScope = nilId
