/** All routes of the web app. Pages load when they are first opened. */
import { accountRoute } from './account.ts'
import { areaRoutes } from './areas.ts'
import { chatRoute, printChatRoute } from './chat.ts'
import { documentsRoute } from './documents.ts'
import { eventsRoute } from './events.ts'
import { knowledgeRoute } from './knowledge.ts'
import { organizationRoute } from './organization.ts'
import { platformRoute } from './platform.ts'
import { publicRoutes } from './public.ts'
import { rootRoute } from './root.ts'
import { shellRoute } from './shell.ts'
import { workflowsRoute } from './workflows.ts'

export const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  printChatRoute,
  shellRoute.addChildren([
    ...areaRoutes,
    chatRoute,
    documentsRoute,
    workflowsRoute,
    knowledgeRoute,
    eventsRoute,
    organizationRoute,
    accountRoute,
    platformRoute,
  ]),
])
