/**
 * Work of this tab that continues on other pages: syncing a folder, importing chats. It is stored outside of React, and
 * the activity tray lists it. Closing the page would stop it, so the browser asks first.
 */
import { useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { onForget } from './forget-tab.ts'

export interface TabWork {
  id: string
  kind: 'folder-sync' | 'chat-import'
  name: string
  /** The progress or the outcome, as shown. */
  word: string
  /** From 0 to 1, where it is known. */
  part?: number
  state: 'running' | 'done' | 'failed'
  /** Items that were left out, each with the reason. */
  problems: readonly string[]
  /** The collection that it changes. */
  collectionId?: string
}

export type Progress = Pick<TabWork, 'word'> & Partial<Pick<TabWork, 'part'>>
export type Result = Pick<TabWork, 'word' | 'problems'>

interface Run {
  report: (progress: Progress) => void
  signal: AbortSignal
  id: string
}

let works: readonly TabWork[] = []
const { subscribe, tell } = createListeners()
const running = new Map<string, AbortController>()

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

function setWorks(next: readonly TabWork[]) {
  works = next
  if (running.size > 0) addEventListener('beforeunload', warnBeforeLeaving)
  else removeEventListener('beforeunload', warnBeforeLeaving)
  tell()
}

const change = (id: string, fields: Partial<TabWork>) =>
  setWorks(works.map((work) => (work.id === id ? { ...work, ...fields } : work)))

export const listWork = (): readonly TabWork[] => works
export const useTabWork = (): readonly TabWork[] => useSyncExternalStore(subscribe, listWork)

type Start = Pick<TabWork, 'kind' | 'name' | 'word'> & { collectionId?: string }

/** Work that ends with nothing to read is dropped; the rest stays in the tray until it is dismissed. */
export async function startWork(start: Start, run: (run: Run) => Promise<Result>): Promise<void> {
  const id = uuidV4()
  const controller = new AbortController()
  running.set(id, controller)
  setWorks([...works, { ...start, id, state: 'running', problems: [] }])
  try {
    const result = await run({ id, signal: controller.signal, report: (progress) => change(id, progress) })
    running.delete(id)
    if (result.problems.length === 0) dropWork(id)
    else change(id, { ...result, state: 'done' })
  } catch (failure) {
    running.delete(id)
    const word = failure instanceof Error ? failure.message : 'It failed. Try again.'
    if (controller.signal.aborted) dropWork(id)
    else change(id, { word, state: 'failed' })
  }
}

/** Stops work that is running. */
export const stopWork = (id: string): void => running.get(id)?.abort()

onForget(() => {
  for (const controller of running.values()) controller.abort()
  running.clear()
  setWorks([])
})

/** Forgets work that has ended. */
export const dropWork = (id: string): void => setWorks(works.filter((work) => work.id !== id))
