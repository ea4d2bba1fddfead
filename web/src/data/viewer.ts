/**
 * The viewer: a person with an account, or a platform admin (stored separately). The cookie can't be read here, so the
 * server is asked; which side to ask first is remembered, because most browsers only ever see one of them.
 */
import { type Ability, can } from '@chancery/contract/abilities.ts'
import type { Me } from '@chancery/contract/accounts/accounts.ts'
import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import type { AdminMe } from '@chancery/contract/platform/platform.ts'
import { queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { readStored, removeStored, store, storedKey } from '#lib/browser/browser-storage.ts'
import { call } from '#lib/http/call.ts'
import { ApiError } from '#lib/problems/api-error.ts'

export type Person = Me & { kind: 'person' }
export type Admin = AdminMe & { kind: 'admin' }
export type Viewer = Person | Admin
export type Side = Viewer['kind']

const side = 'side'

/** True if this browser has signed in before: only then is it worth asking on a page that needs no session. */
export const wasHere = (): boolean => readStored(side) !== undefined
export const lastSide = (): Side => (readStored(side) === 'admin' ? 'admin' : 'person')
export const rememberSide = (value: Side) => store(side, value)
export const forgetSide = () => removeStored(side)

/** Another tab signed out or signed in again: all tabs share the session. */
export const onSideForgotten = (listener: () => void): void =>
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storedKey(side) && newValue === null) listener()
  })

const ask: Record<Side, () => Promise<Viewer>> = {
  person: async () => ({
    kind: 'person',
    ...(await call({
      ...entrance.getMe,
      reply: async () => (await import('@chancery/contract/accounts/accounts.ts')).Me,
    })),
  }),
  admin: async () => ({
    kind: 'admin',
    ...(await call({
      ...entrance.getAdmin,
      reply: async () => (await import('@chancery/contract/platform/platform.ts')).AdminMe,
    })),
  }),
}

const leave: Record<Side, () => Promise<void>> = {
  person: () => call(async () => (await import('@chancery/contract/endpoints/accounts.ts')).logOut),
  admin: () => call(async () => (await import('@chancery/contract/endpoints/platform.ts')).logOut),
}

export const endSession = (kind: Side): Promise<void> => leave[kind]()

/** A credential of the other side is rejected with one of these; anything else is a real error. */
const isRefusal = (error: unknown) => error instanceof ApiError && [401, 403, 404].includes(error.status)

async function loadViewer(): Promise<Viewer | null> {
  const first = lastSide()
  const order: Side[] = first === 'admin' ? ['admin', 'person'] : ['person', 'admin']
  for (const kind of order) {
    try {
      const viewer = await ask[kind]()
      rememberSide(kind)
      return viewer
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  return null
}

export const viewerQuery = queryOptions({ queryKey: ['viewer'], queryFn: loadViewer, staleTime: 60_000 })

export const ViewerContext = createContext<Viewer | undefined>(undefined)

export function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (viewer === undefined) throw new Error('useViewer must be used inside the shell')
  return viewer
}

/** The signed-in person, on pages that platform admins never reach. */
export function usePerson(): Person {
  const viewer = useViewer()
  if (viewer.kind !== 'person') throw new Error('usePerson must be used on pages for people with an account')
  return viewer
}

export const useCan = (ability: Ability): boolean => can(useViewer(), ability)

/** The start page of each role. (Contract: "User and roles".) */
export function landingOf(viewer: Viewer): '/home' | '/organization' | '/platform' {
  if (viewer.kind === 'admin') return '/platform'
  return can(viewer, 'manage-organization') ? '/organization' : '/home'
}
