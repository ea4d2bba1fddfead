/** Plugins, as platform admins write them. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import {
  type Plugin,
  type PluginKind,
  PluginList,
  PluginLogs,
  PluginTry,
  PluginWithContent,
} from '@chancery/contract/plugins/plugins.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { saveFile } from '#lib/browser/save-file.ts'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

export const all = ['plugins']
export const functions = '/api/v1/functions'
const tools = '/api/v1/tools'

/** Tools have a path of their own. */
const baseOf = (type: PluginKind) => (type === 'tool' ? tools : functions)
export const one = ({ type, id }: Pick<Plugin, 'type' | 'id'>) => `${baseOf(type)}/id/${encodeURIComponent(id)}`

const listQuery = queryOptions({
  queryKey: [...all, 'list'],
  queryFn: async () => {
    const [tree, toolTree] = await Promise.all([api.get(functions, PluginList), api.get(`${tools}/list`, PluginList)])
    const items = [...tree.items, ...toolTree.items].sort((a, b) => a.name.localeCompare(b.name))
    return { items, total: items.length }
  },
})

export const usePlugins = () => useQuery(listQuery)

export const usePlugin = (plugin: Pick<Plugin, 'type' | 'id'>) =>
  useQuery({ queryKey: [...all, 'source', plugin.id], queryFn: () => api.get(one(plugin), PluginWithContent) })

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
      [all, ['tools'], ['functions'], ['models']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
}

export const checkSource = (content: string) => call(endpoints.checkPlugin, { body: { content } })

export function useCreatePlugin() {
  const refresh = useRefresh()
  return async (type: PluginKind, body: unknown): Promise<Plugin> => {
    const created = await api.post(`${baseOf(type)}/create`, body, PluginWithContent)
    await refresh()
    return created
  }
}

export function useUpdatePlugin(plugin: Pick<Plugin, 'type' | 'id'>) {
  const refresh = useRefresh()
  return async (body: unknown): Promise<Plugin> => {
    const saved = await api.post(`${one(plugin)}/update`, body, PluginWithContent)
    await refresh()
    return saved
  }
}

type Switch = 'toggle' | 'toggle/global'

export function useSwitchPlugin() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ plugin, what }: { plugin: Plugin; what: Switch }) =>
      api.post(`${one(plugin)}/${what}`, undefined, PluginWithContent),
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
    mutationFn: (plugin: Plugin) => api.tell('DELETE', `${one(plugin)}/delete`),
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
    mutationFn: (plugin: Plugin) => api.get(one(plugin), PluginWithContent),
    onSuccess: ({ id, content }) => saveFile(`${id}.ts`, content, 'text/plain'),
    onError: toast.failed,
  })

export const useLogs = (plugin: Pick<Plugin, 'type' | 'id'>) =>
  useQuery({
    queryKey: [...all, 'logs', plugin.id],
    queryFn: async () => (await api.get(`${one(plugin)}/logs`, PluginLogs)).items,
    refetchInterval: 10_000,
  })

export const useTryPlugin = (plugin: Pick<Plugin, 'type' | 'id'>) =>
  useMutation({
    mutationFn: (body: { method: string; args: unknown }) => api.post(`${one(plugin)}/try`, body, PluginTry),
  })
