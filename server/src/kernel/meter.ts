/**
 * Counts what callers use of the models and enforces their limits. A port: models calls it, usage implements it, and
 * neither knows the other.
 */
import type { Price } from '@chancery/contract/models/prices.ts'
import { AppError } from './errors.ts'
import type { Actor } from './http/actor.ts'

export interface Meter {
  /**
   * Checks the caller's limits and holds what the call may use, so that calls at the same time cannot spend the same
   * budget. Throws `usage_limit_reached`. Synchronous where nothing has to be looked up; undefined where no budget
   * applies, and then what is wanted is not asked for.
   */
  reserve(
    payer: Payer,
    wanted: () => Wanted,
    options?: ReserveOptions,
  ): Reservation | undefined | Promise<Reservation | undefined>
  /** Records what a call really used and releases what was held for it. Never throws and never waits. */
  record(payer: Payer, use: Use, reservation?: Reservation): void
}

/** In tokens. A budget that has no room for `most` grants what it has, and refuses a call that needs more than that. */
export interface Wanted {
  least: number
  most: number
}

export interface ReserveOptions {
  /** A further call for the same request: only budgets are checked, since requests per minute count requests. */
  isContinued?: boolean | undefined
}

/**
 * Another attempt soon can succeed: the limit is one of requests per minute, or a budget has no room only because of other
 * calls that are running.
 */
export class TemporaryLimit extends AppError {
  constructor(options: { detail: string; retryAfterSec: number }) {
    super('usage_limit_reached', options)
  }
}

/** Whatever was to be called is well; the caller may not ask it now. */
export const isLimitReached = (problem: unknown): boolean =>
  problem instanceof AppError && problem.code === 'usage_limit_reached'

/** Nothing helps before the budget resets. */
export const isBudgetSpent = (problem: unknown): boolean =>
  isLimitReached(problem) && !(problem instanceof TemporaryLimit)

/** Whose call it is. Work in the background is done for the owner of a file or a collection, without a credential. */
export type Payer = Pick<Actor, 'kind' | 'id' | 'organizationId'> & {
  credential?: Pick<Actor['credential'], 'kind' | 'id'>
  /**
   * The model is behind credentials of a user, which somebody else pays for: what its server tells concerns the caller's
   * own budgets and not the one that an organization shares.
   */
  isPrivate?: boolean
}

/** Must be passed to `record` however the call ends. */
export interface Reservation {
  /** What the call may use. */
  readonly tokens: number
  /** Holds more of the same budgets; false where there is no room for it. */
  extend(tokens: number): boolean | Promise<boolean>
  /** Safe to repeat. */
  release(): void
}

export interface Use {
  /** The model id as the caller named it. */
  model: string
  promptTokens: number
  completionTokens: number
  failed: boolean
  /** What the instance pays; undefined where nobody knows, or somebody else does. */
  price?: Price | undefined
}
