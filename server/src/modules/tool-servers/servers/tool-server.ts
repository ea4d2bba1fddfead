/** A tool server's offer, whatever protocol it speaks. */
import type { Tool } from '#modules/tools/index.ts'
import type { ToolServersContext } from '../context.ts'
import { listMcp } from '../mcp/mcp-client.ts'
import { asPerson, promptTools, resourceTools, runMcpTool } from '../mcp/mcp-server.ts'
import { readDescription, runOperation } from '../openapi/openapi-server.ts'
import { listMs, type OpenServer, toolOf } from '../remote/remote-call.ts'
import { readRemoteTools } from '../remote/remote-tool.ts'
import type { Asking } from '../remote/request-headers.ts'

/** Throws where the server can't be reached or makes no sense. */
export const listServerTools = async (
  context: ToolServersContext,
  server: OpenServer,
  asking: Asking,
): Promise<Tool[]> => {
  const ids = context.catalog.servers().map(({ id }) => id)
  const longerIds = ids.filter((id) => id.startsWith(`${server.id}_`))
  const options = { serverId: server.id, isReserved: context.tools.isReserved, longerIds }
  const call = { asking, signal: AbortSignal.timeout(listMs) }
  if (server.type === 'openapi') {
    const operations = await readDescription(context, server, call)
    const byName = new Map(operations.map((operation) => [operation.name, operation]))
    return readRemoteTools(operations, options).flatMap((tool) => {
      const operation = byName.get(tool.remoteName)
      return operation ? [toolOf(tool, server, runOperation(context, server, operation))] : []
    })
  }
  const offer = await asPerson({ shared: context, server, call }, listMcp)
  const own = readRemoteTools(offer.tools, options).map((tool) =>
    toolOf(tool, server, runMcpTool(context, server, tool)),
  )
  return [
    ...own,
    ...(offer.hasResources ? resourceTools(context, server) : []),
    ...(offer.hasPrompts ? promptTools(context, server) : []),
  ]
}
