/** The settings of plugins: those of the instance, and each person's own. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import type { Plugin, PluginKind } from '@chancery/contract/plugins/plugins.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { all, endpointsOf } from '../api.ts'

export type ValvesOf = 'instance' | 'person'

function valvesOf(type: PluginKind, whose: ValvesOf) {
  const { getValves, getValvesSpec, setValves, getUserValves, getUserValvesSpec, setUserValves } = endpointsOf(type)
  return whose === 'instance'
    ? { read: getValves, readSpec: getValvesSpec, save: setValves }
    : { read: getUserValves, readSpec: getUserValvesSpec, save: setUserValves }
}

export const useValves = ({ type, id }: Pick<Plugin, 'type' | 'id'>, whose: ValvesOf) =>
  useQuery({
    queryKey: [...all, 'valves', whose, id],
    queryFn: async () => {
      const { read, readSpec } = valvesOf(type, whose)
      const params = { plugin: id }
      const [{ spec }, { valves }] = await Promise.all([call(readSpec, { params }), call(read, { params })])
      return { spec, valves }
    },
  })

export function useSaveValves({ type, id }: Pick<Plugin, 'type' | 'id'>, whose: ValvesOf) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<void> => {
    await call(valvesOf(type, whose).save, { params: { plugin: id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: all })
  }
}

export const usePersonalPlugins = () =>
  useQuery({
    queryKey: [...all, 'personal'],
    queryFn: async () => (await call(endpoints.listPersonalValves)).items,
  })
