/** The logo of a tenant, as its hosted pages show it: their policy takes pictures of this host alone. */
import { readLogo } from '../../operations/hosted-pages/logo.ts';
import { pictureOf } from '../../providers/invoice-documents/logo.ts';
import { pageRoute, unknownPage } from '../calls/page-route.ts';
import type { Route } from '../calls/route-types.ts';
import { readingMore, type RouteDependencies } from '../calls/services.ts';
import { LOGO_PATH } from '../pages/sender.ts';

/** Its address names the version of the file. */
const CACHED_SECONDS = 86_400;

export function logoRoutes(dependencies: RouteDependencies): Route[] {
  return [
    pageRoute({
      path: LOGO_PATH,
      async handler({ tenant }) {
        const logo = await readingMore(dependencies, tenant, readLogo);
        const picture = logo === undefined ? undefined : pictureOf(logo);
        if (picture === undefined) throw unknownPage();
        const { bytes: file, type } = picture;
        const name = type === 'image/png' ? 'logo.png' : 'logo.jpg';
        return { file, type, name, cachedSeconds: CACHED_SECONDS };
      },
    }),
  ];
}
