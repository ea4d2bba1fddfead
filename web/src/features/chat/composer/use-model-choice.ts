/**
 * The models for the next message: from the URL or the chat, else the person's default, their last choice, the default
 * of the organization or the platform, else any available one. The guide only where there is nothing else.
 */
import type { DefaultsScope } from '@chancery/contract/models/defaults.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { modelDefaultsQuery } from '#data/model-defaults.ts'
import { useModels } from '#data/models.ts'
import { readStored, store } from '#lib/browser/browser-storage.ts'
import type { ChosenModel } from '../history/turns.ts'
import { chooseModels } from './model-choice.ts'

const key = 'chat.models'

/** IDs can't contain newlines. */
const lastChoice = (): string[] => readStored(key)?.split('\n') ?? []

export function useModelChoice(wish: readonly string[]): ChosenModel[] {
  const { data: models } = useModels()
  const { data: defaults } = useQuery(modelDefaultsQuery)
  return useMemo(() => {
    const first = (scope: DefaultsScope) => [defaults?.[scope].default_model ?? []].flat()
    const wishes = [first('user'), lastChoice(), first('organization'), first('platform')]
    return chooseModels(models ?? [], { asked: wish, wishes })
  }, [models, wish, defaults])
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
