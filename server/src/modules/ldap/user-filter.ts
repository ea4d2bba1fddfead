/**
 * The search filter that finds a person (RFC 4515). The administrator's template is parsed first, and the login is put
 * into the finished filter as a value. It is never part of a text that is parsed, so nothing in it can become syntax.
 */
import {
  AndFilter,
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  FilterParser,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from 'ldapts'

const placeholder = '{login}'

/** Throws an Error for a template that is no filter, or that asks for the login nowhere. */
export const compileUserFilter = (template: string): ((login: string) => Filter) => {
  let uses = 0
  fill(FilterParser.parseString(template), (text) => {
    if (text.includes(placeholder)) uses += 1
    return text
  })
  if (uses === 0) throw new Error('the filter compares nothing with {login}')
  return (login) => fill(FilterParser.parseString(template), (text) => text.replaceAll(placeholder, () => login))
}

type Put = (text: string) => string

/** The same filter with its values changed. Attribute names and structure stay what the administrator wrote. */
const fill = (filter: Filter, put: Put): Filter => {
  if (filter instanceof AndFilter) return new AndFilter({ filters: filter.filters.map((each) => fill(each, put)) })
  if (filter instanceof OrFilter) return new OrFilter({ filters: filter.filters.map((each) => fill(each, put)) })
  if (filter instanceof NotFilter) return new NotFilter({ filter: fill(filter.filter, put) })
  if (filter instanceof PresenceFilter) return filter
  return fillComparison(filter, put)
}

const fillComparison = (filter: Filter, put: Put): Filter => {
  if (filter instanceof EqualityFilter) {
    return new EqualityFilter({ attribute: filter.attribute, value: put(String(filter.value)) })
  }
  if (filter instanceof SubstringFilter) {
    const { attribute, initial, any, final } = filter
    return new SubstringFilter({ attribute, initial: put(initial), any: any.map(put), final: put(final) })
  }
  if (filter instanceof ExtensibleFilter) {
    const { rule, matchType, dnAttributes } = filter
    return new ExtensibleFilter({ rule, matchType, dnAttributes, value: put(String(filter.value)) })
  }
  for (const Kind of [ApproximateFilter, GreaterThanEqualsFilter, LessThanEqualsFilter]) {
    if (filter instanceof Kind) return new Kind({ attribute: filter.attribute, value: put(filter.value) })
  }
  throw new Error('this kind of filter is not supported')
}
