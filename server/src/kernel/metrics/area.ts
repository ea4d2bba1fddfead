/**
 * The part of the API that a route belongs to. A series for each of four hundred routes, times the buckets of a histogram,
 * is more than a monitoring system wants of one process; which route it was is in the access log.
 */
export const areaOf = (path: string): string => {
  const [first = '', ...rest] = path.split('/').filter((part) => part !== '' && !/^v\d+$/.test(part))
  const [second] = rest
  const isGroup = first === 'api' || first === 'public' || first === 'admin'
  if (!isGroup || second === undefined || /^[:*{]/.test(second)) return first === '' ? 'web' : first
  return first === 'api' ? areaOf(`/${rest.join('/')}`) : `${first}/${second}`
}
