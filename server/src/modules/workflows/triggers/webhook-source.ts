/** The source of a webhook's events, and the filter by which the webhook's own subscription selects them. */
const prefix = 'webhook:'

export const webhookSource = (id: string): string => `${prefix}${id}`

/** Publishers may use any source, so this alone proves nothing: `webhook_triggers` says which webhook a subscription has. */
export const isWebhookSource = (source: string): boolean => source.startsWith(prefix)

/**
 * Publishers with an API key may claim any source, but their events always have a user. The webhook's own filter has been
 * compiled alone before, so that it can't close the parenthesis; the line break ends a comment in it.
 */
export const webhookFilter = (id: string, filterExpr: string | null): string => {
  const own = `event["source"] == "${webhookSource(id)}" and event["user_id"] is None`
  return filterExpr === null ? own : `${own} and (${filterExpr}\n)`
}
