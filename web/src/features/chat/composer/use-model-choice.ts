/** The models the next message goes to: as the address or the chat says, else as last time, else whatever answers. */
import { useCallback, useMemo } from 'react'
import { readStored, store } from '#lib/browser-storage.ts'
import { useModels } from '../api.ts'
import type { ChosenModel } from '../history/turns.ts'
import { chooseModels } from './model-choice.ts'

const key = 'chat.models'

/** Newlines cannot be part of an id. */
const kept = (): string[] => readStored(key)?.split('\n') ?? []

export function useModelChoice(wish: readonly string[]): ChosenModel[] {
  const { data: models } = useModels()
  return useMemo(() => chooseModels(models ?? [], [wish, kept()]), [models, wish])
}

export function useKeepModels(onModels: (ids: readonly string[]) => void) {
  return useCallback(
    (ids: readonly string[]) => {
      store(key, ids.join('\n'))
      onModels(ids)
    },
    [onModels],
  )
}
