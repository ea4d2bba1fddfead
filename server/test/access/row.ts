/** A row of the matrix, the callers, and the usual answers. */
import type { TestApp } from '#test/harness/app.ts'
import type { Client } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'

export interface Cast {
  /** Whose things are asked for. */
  victim: Person
  nobody: Client
  /** Of another organization, and its administrator. */
  stranger: Client
  /** A plain member of the victim's organization. */
  colleague: Client
  /** An administrator of the victim's organization. */
  boss: Client
  /** Was an administrator of the victim's organization once; their token is still in their hand. */
  deactivated: Client
  platformOwner: Client
  self: Client
}
export type Role = Exclude<keyof Cast, 'victim'>

export interface Row {
  /** Makes the thing, and answers its id and what of it no outsider may see. */
  make(
    app: TestApp,
    cast: Cast,
  ): Promise<{
    id: string
    marks: string[]
    /** The second id of the path. */
    within?: string
    /** A body that names something of the thing, instead of the row's own. */
    body?: unknown
  }>
  body?: unknown
  /** A successful call changes the people or their organization, so the row gets people of its own. */
  changesPeople?: boolean
  /** A successful call uses the resource up, so each further allowed role gets its own. */
  isUsedUp?: boolean
  /** A successful call leaves the resource as other rows need it, so it can be shared with them. */
  isHarmless?: boolean
  statuses: Record<Role, number>
  /** The callers, where the credential is in the path and the caller makes no difference; everybody by default. */
  askedBy?: readonly Role[]
}

export const none = { nobody: 401, deactivated: 401 }
export const onlySelf = { ...none, stranger: 404, colleague: 404, boss: 404, platformOwner: 404 }
/** For administrators of the victim's organization; what a platform admin holds is no credential there. */
export const onlyBoss = { ...none, stranger: 404, colleague: 403, self: 403, boss: 200, platformOwner: 401 }
/** For everybody in the victim's organization. */
export const withinOrganization = { ...none, stranger: 404, colleague: 200, self: 200, boss: 200, platformOwner: 401 }
export const everybody = {
  nobody: 200,
  deactivated: 200,
  stranger: 200,
  colleague: 200,
  boss: 200,
  self: 200,
  platformOwner: 200,
}
/** Names no person's thing: unknown to all alike. */
export const nobodyAtAll = { ...onlySelf, nobody: 404, deactivated: 404, self: 404 }
export const onlyPlatform = { ...none, stranger: 403, colleague: 403, boss: 403, self: 403, platformOwner: 200 }

/** The email about it couldn't be delivered. */
export const undelivered =
  (make: Row['make']): Row['make'] =>
  async (app, cast) => {
    const thing = await make(app, cast)
    await app.db.updateTable('mailOutbox').set({ status: 'failed' }).execute()
    return thing
  }
