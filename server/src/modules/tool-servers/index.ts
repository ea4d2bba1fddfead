/** Tool servers: those whose tools a model may call here, and `/mcp`, the one we are. The module's public interface. */
import './tables.ts'
import type { Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { createToolServerCatalog } from './catalog.ts'
import type { ToolServersContext } from './context.ts'
import { deleteSignInsOfUnscoped } from './queries/server-sign-ins.ts'
import { sealStoredHeaders } from './remote/server-headers.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { mcpClientRoutes } from './routes/mcp-clients.ts'
import { serverOfferRoutes } from './routes/server-offers.ts'
import { serverSignInRoutes } from './routes/server-sign-ins.ts'
import { toolServerRoutes } from './routes/tool-servers.ts'
import { createServerSource } from './servers/server-source.ts'

interface Needs extends Omit<ToolServersContext, 'catalog'> {
  accounts: ToolServersContext['accounts'] & Pick<Accounts, 'registerTakeoverHandler'>
  organizations: Pick<Organizations, 'grants' | 'onChange'>
}

/** Stored servers are known before the first request; each is asked when somebody first names it. */
export const createToolServers = async (needs: Needs): Promise<Module> => {
  const { kernel, accounts, organizations, tools } = needs
  await sealStoredHeaders(kernel)
  const catalog = await createToolServerCatalog(kernel)
  const context: ToolServersContext = { ...needs, catalog }
  organizations.onChange(async (tx, { type }) => {
    // The grants of a deleted group are gone.
    if (type === 'group_deleted') await catalog.announce(tx)
  })
  // The new owner's tools must not use what another person signed in to.
  accounts.registerTakeoverHandler(deleteSignInsOfUnscoped)
  tools.registerSource(createServerSource(context))
  return {
    routes: [
      ...toolServerRoutes(context),
      ...serverSignInRoutes(context),
      ...serverOfferRoutes(context),
      ...mcpRoutes(context),
      ...mcpClientRoutes(context),
    ],
    start: (signal) => catalog.start(signal),
  }
}
