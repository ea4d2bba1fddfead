/** Functions and tools: two addresses, one behaviour. */
import { del, get, post } from '../endpoint.ts'
import {
  PluginBody,
  PluginList,
  PluginLogs,
  PluginPatch,
  PluginTry,
  PluginTryBody,
  PluginWithContent,
  Valves,
  ValvesBody,
  ValvesSpec,
} from '../plugins/plugins.ts'

export type PluginTree = 'functions' | 'tools'

export const pluginEndpoints = (name: PluginTree) => {
  const base = `/api/v1/${name}` as const
  const one = `${base}/id/:plugin` as const
  return {
    list: get(name === 'tools' ? `${base}/list` : base, { reply: PluginList }),
    create: post(`${base}/create`, { body: PluginBody, reply: PluginWithContent, status: 201 }),
    get: get(one, { reply: PluginWithContent }),
    update: post(`${one}/update`, { body: PluginPatch, reply: PluginWithContent }),
    remove: del(`${one}/delete`),
    toggle: post(`${one}/toggle`, { reply: PluginWithContent }),
    listLogs: get(`${one}/logs`, { reply: PluginLogs }),
    tryOut: post(`${one}/try`, { body: PluginTryBody, reply: PluginTry }),
    getValves: get(`${one}/valves`, { reply: Valves }),
    getValvesSpec: get(`${one}/valves/spec`, { reply: ValvesSpec }),
    setValves: post(`${one}/valves/update`, { body: ValvesBody, reply: Valves }),
    getUserValves: get(`${one}/valves/user`, { reply: Valves }),
    getUserValvesSpec: get(`${one}/valves/user/spec`, { reply: ValvesSpec }),
    setUserValves: post(`${one}/valves/user/update`, { body: ValvesBody, reply: Valves }),
  }
}
