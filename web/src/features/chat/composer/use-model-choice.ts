/** The models for the next message: from the URL or the chat, else the last choice, else any available one. */
import { useCallback, useMemo } from 'react'
import { readStored, store } from '#lib/browser-storage.ts'
import { useModels } from '../api.ts'
import type { ChosenModel } from '../history/turns.ts'
import { chooseModels } from './model-choice.ts'

const key = 'chat.models'

/** IDs can't contain newlines. */
const lastChoice = (): string[] => readStored(key)?.split('\n') ?? []

export function useModelChoice(wish: readonly string[]): ChosenModel[] {
  const { data: models } = useModels()
  return useMemo(() => chooseModels(models ?? [], [wish, lastChoice()]), [models, wish])
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
