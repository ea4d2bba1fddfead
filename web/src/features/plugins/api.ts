/** Plugins, as platform admins write them. */
import { pluginEndpoints } from '@chancery/contract/endpoints/plugin-tree.ts'
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import type { Plugin, PluginKind } from '@chancery/contract/plugins/plugins.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { modelsKey } from '#data/models.ts'
import { saveFile } from '#lib/browser/save-file.ts'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

export const all = ['plugins']

/** Tools have addresses of their own. */
export const endpointsOf = (type: PluginKind) => pluginEndpoints(type === 'tool' ? 'tools' : 'functions')

const read = ({ type, id }: Pick<Plugin, 'type' | 'id'>) => call(endpointsOf(type).get, { params: { plugin: id } })

const listQuery = queryOptions({
  queryKey: [...all, 'list'],
  queryFn: async () => {
    const trees = await Promise.all((['functions', 'tools'] as const).map((name) => call(pluginEndpoints(name).list)))
    const items = trees.flatMap((tree) => tree.items).sort((a, b) => a.name.localeCompare(b.name))
    return { items, total: items.length }
  },
})

export const usePlugins = () => useQuery(listQuery)

export const usePlugin = (plugin: Pick<Plugin, 'type' | 'id'>) =>
  useQuery({ queryKey: [...all, 'source', plugin.id], queryFn: () => read(plugin) })

export const useExamples = () =>
  useQuery({
    queryKey: [...all, 'examples'],
    queryFn: async () => (await call(endpoints.listExamples)).items,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Also what people may use in a chat depends on plugins: pipes are models. */
function useRefresh() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [all, ['tools'], ['functions'], modelsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
}

export const checkSource = (content: string) => call(endpoints.checkPlugin, { body: { content } })

export function useCreatePlugin() {
  const refresh = useRefresh()
  return async (type: PluginKind, body: unknown): Promise<Plugin> => {
    const created = await call(endpointsOf(type).create, { body: unchecked(body) })
    await refresh()
    return created
  }
}

export function useUpdatePlugin({ type, id }: Pick<Plugin, 'type' | 'id'>) {
  const refresh = useRefresh()
  return async (body: unknown): Promise<Plugin> => {
    const saved = await call(endpointsOf(type).update, { params: { plugin: id }, body: unchecked(body) })
    await refresh()
    return saved
  }
}

type Switch = 'toggle' | 'toggle-global'

export function useSwitchPlugin() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ plugin: { id, type }, what }: { plugin: Plugin; what: Switch }) =>
      call(what === 'toggle' ? endpointsOf(type).toggle : endpoints.toggleGlobal, { params: { plugin: id } }),
    onSuccess: ({ name, is_active, is_global }, { what }) =>
      toast.done(
        what === 'toggle'
          ? `${name} turned ${is_active ? 'on' : 'off'}`
          : `${name} runs for ${is_global ? 'every model' : 'chosen models only'}`,
      ),
    onError: toast.failed,
    onSettled: refresh,
  })
}

export function useDeletePlugin(onDone: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, type }: Plugin) => call(endpointsOf(type).remove, { params: { plugin: id } }),
    onSuccess: (_, { name }) => toast.done(`Plugin “${name}” deleted`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await refresh()
    },
  })
}

/** A plugin is one file, so that is what is exported. */
export const useExportPlugin = () =>
  useMutation({
    mutationFn: (plugin: Plugin) => read(plugin),
    onSuccess: ({ id, content }) => saveFile(`${id}.ts`, content, 'text/plain'),
    onError: toast.failed,
  })

export const useLogs = ({ type, id }: Pick<Plugin, 'type' | 'id'>) =>
  useQuery({
    queryKey: [...all, 'logs', id],
    queryFn: async () => (await call(endpointsOf(type).listLogs, { params: { plugin: id } })).items,
    refetchInterval: 10_000,
  })

export const useTryPlugin = ({ type, id }: Pick<Plugin, 'type' | 'id'>) =>
  useMutation({
    mutationFn: (body: { method: string; args: unknown }) =>
      call(endpointsOf(type).tryOut, { params: { plugin: id }, body: unchecked(body) }),
  })
