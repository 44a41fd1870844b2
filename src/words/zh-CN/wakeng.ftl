# wakeng
