/** Workflows, catalogs, credentials and webhooks, as runs read them. */
import type { Kernel } from '#kernel/kernel.ts'
import type { Definitions } from '#modules/runs/index.ts'
import { openEntries } from './catalogs/catalog-keys.ts'
import { readSecrets } from './credentials/read-secrets.ts'
import { signRequest } from './credentials/sign-request.ts'
import { getWorkflow } from './definitions/get-workflow.ts'
import { openNode } from './definitions/sealed-graph.ts'
import { findCatalogUnscoped } from './queries/catalogs.ts'
import { findLiveVersionsUnscoped, holdWorkflowsUnscoped } from './queries/live-versions.ts'
import { allWorkflowIds } from './queries/names.ts'
import { findGraphUnscoped } from './queries/versions.ts'
import { findWorkflow } from './queries/workflows.ts'
import { createFindWebhooks } from './triggers/find-webhooks.ts'

export const createDefinitions = (kernel: Kernel): Definitions => ({
  isOwn: async (db, actor, id) => (await findWorkflow(db, actor, id)) !== undefined,
  getOwn: getWorkflow,
  holdUnscoped: holdWorkflowsUnscoped,
  findLiveUnscoped: findLiveVersionsUnscoped,
  findGraphUnscoped: async (db, workflowId, hash) => {
    const graph = await findGraphUnscoped(db, workflowId, hash)
    return graph && { graph, open: (node) => openNode(kernel, workflowId, node) }
  },
  allIds: allWorkflowIds,
  hasCatalogUnscoped: async (db, catalog) => (await findCatalogUnscoped(db, catalog)) !== undefined,
  findCatalogUnscoped: async (db, wanted) => {
    const catalog = await findCatalogUnscoped(db, wanted)
    return (
      catalog && {
        updatedAt: catalog.updatedAt,
        open: () =>
          openEntries(kernel, catalog).map(({ model_ids: modelIds, prices = {}, ...entry }) => ({
            ...entry,
            modelIds,
            prices,
          })),
      }
    )
  },
  readSecretsUnscoped: (wanted) => readSecrets(kernel, wanted),
  signRequestUnscoped: (use) => signRequest(kernel, use),
  findWebhooksUnscoped: createFindWebhooks(),
})
