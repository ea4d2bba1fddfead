/** The settings of plugins: those of the instance, and each person's own. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import { type Plugin, Valves, ValvesSpec } from '@chancery/contract/plugins/plugins.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { all, one } from './api.ts'

/** The settings of the instance, or the person's own. */
export type ValvesOf = 'valves' | 'valves/user'

export const useValves = (plugin: Pick<Plugin, 'type' | 'id'>, whose: ValvesOf) =>
  useQuery({
    queryKey: [...all, whose, plugin.id],
    queryFn: async () => {
      const [{ spec }, { valves }] = await Promise.all([
        api.get(`${one(plugin)}/${whose}/spec`, ValvesSpec),
        api.get(`${one(plugin)}/${whose}`, Valves),
      ])
      return { spec, valves }
    },
  })

export function useSaveValves(plugin: Pick<Plugin, 'type' | 'id'>, whose: ValvesOf) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<void> => {
    await api.post(`${one(plugin)}/${whose}/update`, body, Valves)
    await queryClient.invalidateQueries({ queryKey: all })
  }
}

export const usePersonalPlugins = () =>
  useQuery({
    queryKey: [...all, 'personal'],
    queryFn: async () => (await call(endpoints.listPersonalValves)).items,
  })
