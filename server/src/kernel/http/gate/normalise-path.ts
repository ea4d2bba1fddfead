/** Pure. One reading of a request path, shared by everything that decides by path. */

const decodeOnce = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * The path as the router's handlers understand it: decoded once, slashes collapsed, dot segments resolved.
 * Undefined when two readers could disagree about it (encoded slashes, backslashes, leftover escapes, control
 * characters), so that every check by path refuses it.
 */
export const normalisePath = (url: string): string | undefined => {
  const raw = url.split(/[?#]/, 1)[0] ?? ''
  if (/%2f|%5c|%25|%00|\\/i.test(raw)) return undefined
  const decoded = decodeOnce(raw)
  if (decoded === undefined || /[\p{Cc}\\]/u.test(decoded)) return undefined
  const segments: string[] = []
  for (const segment of decoded.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

/** `/api/models` covers `/api/models` and `/api/models/x`, never `/api/models-secret`. Case matters. */
export const isWithinPrefix = (path: string, prefix: string): boolean => {
  const whole = prefix.replace(/(?<!\/)\/+$/, '')
  return path === whole || path.startsWith(`${whole}/`)
}

/** True when a key held to these prefixes may use this address. */
export const isRouteAllowed = (url: string, allowedRoutes: readonly string[] | null): boolean => {
  if (allowedRoutes === null) return true
  const path = normalisePath(url)
  return path !== undefined && allowedRoutes.some((prefix) => isWithinPrefix(path, prefix))
}

/** The routes that both allow; null is everything. */
export const routesInBoth = (one: readonly string[] | null, other: readonly string[] | null): string[] | null => {
  if (one === null || other === null) return (one ?? other)?.slice() ?? null
  const within = (routes: readonly string[], prefixes: readonly string[]): string[] =>
    routes.filter((route) => prefixes.some((prefix) => isWithinPrefix(route, prefix)))
  return [...new Set([...within(one, other), ...within(other, one)])]
}
