import type { Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

type Handler = () => unknown;

/** The methods of all controllers that are routes. */
export function controllerHandlers(
  app: NestExpressApplication,
): Array<{ controller: Type; handler: Handler }> {
  const scanner = new MetadataScanner();
  return [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .map(({ metatype }) => metatype as Type<Record<string, Handler>>)
    .flatMap((controller) =>
      scanner
        .getAllMethodNames(controller.prototype)
        .map((name) => ({ controller, handler: controller.prototype[name]! }))
        .filter(({ handler }) => Reflect.hasMetadata(METHOD_METADATA, handler)),
    );
}
